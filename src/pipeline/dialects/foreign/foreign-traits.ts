import { LIMITS } from '../../../kernel/limits.ts'
import { objectOf, type SourceObject } from './foreign-value.ts'

/** Converts traits to JSON texts; those beyond the limits of an Identify call are left out and counted. */
export function readTraits(source: SourceObject): {
  readonly traits: ReadonlyMap<string, string>
  readonly leftOut: number
} {
  const traits = new Map<string, string>()
  let bytes = 0
  let leftOut = 0
  for (const [name, value] of Object.entries(source)) {
    const text = JSON.stringify(value)
    const isValid =
      isTraitName(name) && traits.size < LIMITS.traitsMax && bytes + text.length <= LIMITS.traitBytesMax
    if (isValid) {
      traits.set(name, text)
      bytes += text.length
    } else leftOut++
  }
  return { traits, leftOut }
}

/** The names of traits to remove: a list, or an object with the names. */
export function readTraitNames(source: unknown): {
  readonly names: readonly string[]
  readonly leftOut: number
} {
  const sent = Array.isArray(source) ? source : Object.keys(objectOf(source))
  const names = sent
    .filter((name) => typeof name === 'string' && isTraitName(name))
    .slice(0, LIMITS.traitsMax)
  return { names, leftOut: sent.length - names.length }
}

function isTraitName(name: string): boolean {
  return name !== '' && name.isWellFormed() && [...name].length <= LIMITS.propertyKeyCodePointsMax
}
