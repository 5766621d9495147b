import type { DescEnum, DescMessage } from '@bufbuild/protobuf'
import { wellKnownSchema } from './value-schemas.ts'

/**
 * Types that occur more than once in a message, or inside themselves, with the names of their definitions; types inside the
 * messages to leave out do not count.
 */
export function findSharedTypes(
  root: DescMessage,
  leftOut: ReadonlySet<DescMessage | DescEnum> = new Set(),
): ReadonlyMap<DescMessage | DescEnum, string> {
  const shared = [...countUses(root, leftOut)].flatMap(([type, useCount]) => (useCount > 1 ? [type] : []))
  return new Map(shared.map((type) => [type, nameAmong(type, shared)]))
}

/** All types in a message, including its own. */
export function findTypes(root: DescMessage): readonly (DescMessage | DescEnum)[] {
  return [...countUses(root).keys()]
}

function countUses(
  root: DescMessage,
  leftOut: ReadonlySet<DescMessage | DescEnum> = new Set(),
): ReadonlyMap<DescMessage | DescEnum, number> {
  const useCounts = new Map<DescMessage | DescEnum, number>()
  const visit = (type: DescMessage | DescEnum): void => {
    const useCount = (useCounts.get(type) ?? 0) + 1
    useCounts.set(type, useCount)
    if (useCount > 1 || type.kind === 'enum') return
    for (const { message, enum: values } of type.fields) {
      const held = message ?? values
      if (held && !leftOut.has(held) && wellKnownSchema(held.typeName) === undefined) visit(held)
    }
  }
  visit(root)
  return useCounts
}

/** The short name, or the full name if several types share the short one. */
function nameAmong(type: DescMessage | DescEnum, all: readonly (DescMessage | DescEnum)[]): string {
  return all.some((other) => other !== type && other.name === type.name) ? type.typeName : type.name
}
