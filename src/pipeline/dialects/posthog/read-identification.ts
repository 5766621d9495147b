import { checkDistinctId } from '../../event/event-rules.ts'
import type { ForeignChange, ForeignIdentification } from '../foreign/foreign-batch.ts'
import { readTraitNames, readTraits } from '../foreign/foreign-traits.ts'
import { fieldOf, objectOf, type SourceObject, textOf } from '../foreign/foreign-value.ts'

/** What an event says about a person, and what of it is left out. */
export interface ReadPerson {
  readonly identification: ForeignIdentification | undefined
  readonly changes: readonly ForeignChange[]
}

/** An event whose name and distinct id are known. */
export interface PosthogPerson {
  readonly record: SourceObject
  readonly name: string
  readonly distinctId: string
  readonly properties: SourceObject
  readonly options: SourceObject
}

/** Events that join two ids, and the property with the other one. */
const CLAIMS: Readonly<Record<string, string>> = {
  $identify: '$anon_distinct_id',
  $create_alias: 'alias',
  $merge_dangerously: 'alias',
}

/** PostHog's libraries send the device id as the distinct id until a user is identified. */
export function isAnonymous(id: string, properties: SourceObject): boolean {
  return fieldOf(properties, '$is_identified') === false || id === fieldOf(properties, '$device_id')
}

/** Reads identifies, aliases and person properties. Only a person who is identified has properties. */
export function readIdentification(person: PosthogPerson): ReadPerson {
  const { name, distinctId, properties } = person
  const other = Object.hasOwn(CLAIMS, name) ? textOf(fieldOf(properties, CLAIMS[name] ?? '')) : undefined
  const isSigningIn = name === '$identify'
  // A browser that has no user yet sends the alias from its anonymous id: then the alias is the user.
  const isReversed = other !== undefined && !isSigningIn && isAnonymous(distinctId, properties)
  const externalId = isReversed ? other : distinctId
  const claimed = isReversed ? distinctId : other
  const isKnown = isSigningIn || isReversed || !isAnonymous(distinctId, properties)
  const { operations, changes } = readPersonProperties(person, isKnown)
  const hasClaim = claimed !== undefined && claimed !== externalId && checkDistinctId(claimed) === undefined
  if (!isSigningIn && !hasClaim && isNothing(operations)) return { identification: undefined, changes }
  if (checkDistinctId(externalId) !== undefined) return { identification: undefined, changes }
  return { identification: { externalId, anonymousId: hasClaim ? claimed : '', ...operations }, changes }
}

type Operations = Pick<ForeignIdentification, 'traits' | 'traitsOnce' | 'removedTraits'>

const NOTHING: Operations = { traits: new Map(), traitsOnce: new Map(), removedTraits: [] }
const NOTHING_SAID: { readonly operations: Operations; readonly changes: readonly ForeignChange[] } = {
  operations: NOTHING,
  changes: [],
}

function isNothing({ traits, traitsOnce, removedTraits }: Operations): boolean {
  return traits.size === 0 && traitsOnce.size === 0 && removedTraits.length === 0
}

function readPersonProperties(
  { record, properties, options }: PosthogPerson,
  isKnown: boolean,
): typeof NOTHING_SAID {
  const isRefused =
    fieldOf(properties, '$process_person_profile') === false ||
    fieldOf(options, 'process_person_profile') === false
  if (isRefused) return NOTHING_SAID
  const sentOf = (name: string): unknown => fieldOf(properties, name) ?? fieldOf(record, name)
  const [sentSet, sentOnce, sentUnset] = [sentOf('$set'), sentOf('$set_once'), sentOf('$unset')]
  if (sentSet === undefined && sentOnce === undefined && sentUnset === undefined) return NOTHING_SAID
  const set = readTraits(objectOf(sentSet))
  const once = readTraits(withoutNulls(objectOf(sentOnce)))
  const removed = readTraitNames(sentUnset)
  const operations = { traits: set.traits, traitsOnce: once.traits, removedTraits: removed.names }
  const isLeftOut = isKnown ? set.leftOut + once.leftOut + removed.leftOut > 0 : !isNothing(operations)
  return { operations: isKnown ? operations : NOTHING, changes: isLeftOut ? ['trait_left_out'] : [] }
}

/** A library sends every name that it could set: `null` means that there is no value. */
function withoutNulls(source: SourceObject): SourceObject {
  return Object.fromEntries(Object.entries(source).filter(([, value]) => value !== null))
}
