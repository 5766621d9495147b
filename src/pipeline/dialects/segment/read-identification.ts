import { checkDistinctId } from '../../event/event-rules.ts'
import type { ForeignIdentification } from '../foreign/foreign-batch.ts'
import { readTraitNames, readTraits } from '../foreign/foreign-traits.ts'
import { fieldOf, objectOf, type SourceObject, textOf } from '../foreign/foreign-value.ts'

/** What a message says about a person. */
export interface ReadPerson {
  readonly identification: ForeignIdentification | undefined
  readonly isTraitLeftOut: boolean
}

/** A message whose type is known. */
export interface SegmentPerson {
  readonly record: SourceObject
  readonly type: string
  readonly context: SourceObject
}

const NOTHING = { traits: new Map<string, string>(), removedTraits: [], isTraitLeftOut: false }
const NO_TRAITS_ONCE: ReadonlyMap<string, string> = new Map()

/**
 * Reads who sent a message. A message with a user id and an anonymous id joins the two in every type; only `identify` has
 * traits, and only of an identified user.
 */
export function readIdentification({ record, type, context }: SegmentPerson): ReadPerson {
  const externalId = textOf(fieldOf(record, 'userId'))
  const sent = type === 'identify' ? traitsOf(record, context) : {}
  if (externalId === undefined)
    return { identification: undefined, isTraitLeftOut: Object.keys(sent).length > 0 }
  const other = textOf(fieldOf(record, type === 'alias' ? 'previousId' : 'anonymousId'))
  const isClaim = other !== undefined && other !== externalId && checkDistinctId(other) === undefined
  const { isTraitLeftOut, ...operations } = type === 'identify' ? readOperations(sent) : NOTHING
  if (type !== 'identify' && !isClaim) return { identification: undefined, isTraitLeftOut }
  const identification = {
    isImplied: type !== 'identify' && type !== 'alias',
    externalId,
    anonymousId: isClaim ? other : '',
    ...operations,
    traitsOnce: NO_TRAITS_ONCE,
  }
  return { identification, isTraitLeftOut }
}

/** RudderStack's libraries repeat the traits in the context, and some send them only there. */
function traitsOf(record: SourceObject, context: SourceObject): SourceObject {
  return { ...objectOf(fieldOf(context, 'traits')), ...objectOf(fieldOf(record, 'traits')) }
}

/** A trait that is `null` is removed, as in Segment's profiles. */
function readOperations(sent: SourceObject): {
  readonly traits: ReadonlyMap<string, string>
  readonly removedTraits: readonly string[]
  readonly isTraitLeftOut: boolean
} {
  const entries = Object.entries(sent)
  const set = readTraits(Object.fromEntries(entries.filter(([, value]) => value !== null)))
  const removed = readTraitNames(entries.filter(([, value]) => value === null).map(([name]) => name))
  return {
    traits: set.traits,
    removedTraits: removed.names,
    isTraitLeftOut: set.leftOut + removed.leftOut > 0,
  }
}
