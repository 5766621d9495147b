import { clone, type DescMessage, type MessageShape } from '@bufbuild/protobuf'
import { type EventFilter, EventFilterSchema } from '../../contract/gen/common/v1/filter_pb.js'

/** The kinds whose events count as those of another kind, by that kind. */
export type MergedKinds = ReadonlyMap<string, readonly string[]>

/** No kind counts as another. */
const NO_MERGED_KINDS: MergedKinds = new Map()

/**
 * A message whose event filters also find the kinds that count as theirs; the message itself is not changed. A merged kind that a filter
 * names by itself is found alone.
 */
export function withMergedKinds<Desc extends DescMessage>(
  schema: Desc,
  message: MessageShape<Desc>,
  merged: MergedKinds = NO_MERGED_KINDS,
): MessageShape<Desc> {
  if (merged.size === 0) return message
  const copy = clone(schema, message)
  addTo(copy, merged)
  return copy
}

/** Values of a message are scalars, bytes, messages, lists and maps of them, and oneofs. */
function addTo(value: unknown, merged: MergedKinds): void {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return
  if (isEventFilter(value)) {
    value.mergedKinds.push(...(merged.get(value.kind) ?? []))
    return
  }
  for (const part of Object.values(value)) addTo(part, merged)
}

function isEventFilter(value: object): value is EventFilter {
  return '$typeName' in value && value.$typeName === EventFilterSchema.typeName
}
