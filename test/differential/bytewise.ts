import type { ReferenceEvent } from './model.ts'

/** Compares by the bytes of UTF-8, which differs from JavaScript's order above U+D7FF. */
export function compareBytewise(...[left, right]: readonly [string, string]): number {
  return Buffer.compare(Buffer.from(left, 'utf8'), Buffer.from(right, 'utf8'))
}

/** Compares two lists of equal length by their first difference. */
export function compareListsBytewise(
  ...[left, right]: readonly [readonly string[], readonly string[]]
): number {
  for (const [index, text] of left.entries()) {
    const order = compareBytewise(text, right[index] ?? '')
    if (order !== 0) return order
  }
  return 0
}

/** Order of events everywhere but in a funnel: by time, then by the text of the id. */
export function compareEvents(...[left, right]: readonly [ReferenceEvent, ReferenceEvent]): number {
  return left.occurMs - right.occurMs || compareBytewise(left.eventId, right.eventId)
}
