import { checkDistinctId } from '../../event/event-rules.ts'
import type { ForeignItem } from '../foreign/foreign-batch.ts'
import { readTraitNames, readTraits } from '../foreign/foreign-traits.ts'
import { fieldOf, objectOf, type SourceObject, textOf } from '../foreign/foreign-value.ts'
import { isAnonymous } from './mixpanel-ids.ts'

/** Operations on the properties of a person that have no equivalent here. */
const OTHER_OPERATIONS = ['$add', '$append', '$union', '$remove', '$delete'] as const

/** Properties of a profile that Mixpanel has names for → trait. The console finds the name of a person by these traits. */
const PROFILE_NAMES: Readonly<Record<string, string>> = {
  $name: 'name',
  $first_name: 'first_name',
  $last_name: 'last_name',
  $email: 'email',
  $phone: 'phone',
  $avatar: 'avatar',
}

/** Reads an update of a person: `/engage`. Only a person who is identified has properties. */
export function readMixpanelProfile(record: SourceObject, requestKey: string): ForeignItem {
  const drop = (dropped: NonNullable<ForeignItem['dropped']>): ForeignItem => ({ id: undefined, dropped })
  const key = textOf(fieldOf(record, '$token')) ?? textOf(fieldOf(record, 'token'))
  if (key !== undefined && key !== requestKey) return drop('other_key')
  const externalId = textOf(fieldOf(record, '$distinct_id')) ?? textOf(fieldOf(record, '$user_id'))
  if (externalId === undefined) return drop('no_distinct_id')
  if (checkDistinctId(externalId) !== undefined) return drop('invalid_distinct_id')
  const set = readTraits(renamed(objectOf(fieldOf(record, '$set'))))
  const once = readTraits(withoutNulls(renamed(objectOf(fieldOf(record, '$set_once')))))
  const removed = readTraitNames(renamedNames(fieldOf(record, '$unset')))
  const operations = { traits: set.traits, traitsOnce: once.traits, removedTraits: removed.names }
  const count = set.traits.size + once.traits.size + removed.names.length
  const isAnybody = isAnonymous(externalId, record)
  const isLeftOut = set.leftOut + once.leftOut + removed.leftOut > 0 || (isAnybody && count > 0)
  const isOther = OTHER_OPERATIONS.some((name) => fieldOf(record, name) !== undefined)
  const changes = [
    ...(isLeftOut ? (['trait_left_out'] as const) : []),
    ...(isOther ? (['operation_not_supported'] as const) : []),
  ]
  if (isAnybody || count === 0) return { id: undefined, changes }
  return { id: undefined, identification: { externalId, anonymousId: '', ...operations }, changes }
}

function renamed(source: SourceObject): SourceObject {
  return Object.fromEntries(Object.entries(source).map(([name, value]) => [nameOf(name), value]))
}

function renamedNames(names: unknown): unknown {
  return Array.isArray(names)
    ? names.map((name: unknown) => (typeof name === 'string' ? nameOf(name) : name))
    : []
}

function nameOf(name: string): string {
  return (Object.hasOwn(PROFILE_NAMES, name) ? PROFILE_NAMES[name] : undefined) ?? name
}

/** The SDK of browsers sends every name that it could set: `null` means that there is no value. */
function withoutNulls(source: SourceObject): SourceObject {
  return Object.fromEntries(Object.entries(source).filter(([, value]) => value !== null))
}
