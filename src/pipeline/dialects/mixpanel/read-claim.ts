import { checkDistinctId } from '../../event/event-rules.ts'
import type { ForeignIdentification } from '../foreign/foreign-batch.ts'
import { fieldOf, type SourceObject, textOf } from '../foreign/foreign-value.ts'
import { isAnonymous, visitorOf } from './mixpanel-ids.ts'

/** Events that only join two ids. */
export const IDENTIFY_EVENTS: ReadonlySet<string> = new Set(['$identify', '$create_alias', '$merge'])

/** A user and an id whose events belong to the user too. */
interface Claim {
  readonly user: string | undefined
  readonly other: string | undefined
}

/** An identification that only joins two ids. */
export const NO_TRAITS = {
  traits: new Map<string, string>(),
  traitsOnce: new Map<string, string>(),
  removedTraits: [],
}

/** The two ids that an event joins; any event may have both a user and a device. */
export function readClaim(name: string, properties: SourceObject): ForeignIdentification | undefined {
  const read = Object.hasOwn(CLAIMS, name) ? CLAIMS[name] : undefined
  const { user, other } = (read ?? readImplied)(properties)
  if (user === undefined || checkDistinctId(user) !== undefined) return undefined
  const isClaim = other !== undefined && other !== user && checkDistinctId(other) === undefined
  const isImplied = !IDENTIFY_EVENTS.has(name)
  if (!isClaim && name !== '$identify') return undefined
  return { isImplied, externalId: user, anonymousId: isClaim ? other : '', ...NO_TRAITS }
}

function readImplied(properties: SourceObject): Claim {
  return { user: textOf(fieldOf(properties, '$user_id')), other: visitorOf(properties) }
}

const CLAIMS: Readonly<Record<string, (properties: SourceObject) => Claim>> = {
  $identify: (properties) => ({
    user:
      textOf(fieldOf(properties, '$identified_id')) ??
      textOf(fieldOf(properties, '$user_id')) ??
      textOf(fieldOf(properties, 'distinct_id')),
    other:
      textOf(fieldOf(properties, '$anon_distinct_id')) ??
      textOf(fieldOf(properties, '$anon_id')) ??
      visitorOf(properties),
  }),
  $create_alias: (properties) => {
    const id = textOf(fieldOf(properties, 'distinct_id'))
    const alias = textOf(fieldOf(properties, 'alias'))
    // A browser without a user sends the alias from its own id: then the alias is the user.
    return id !== undefined && isAnonymous(id, properties)
      ? { user: alias, other: id }
      : { user: id, other: alias }
  },
  $merge: (properties) => {
    const ids = fieldOf(properties, '$distinct_ids')
    const [first, second] = Array.isArray(ids) ? ids.map(textOf) : []
    return first !== undefined && isAnonymous(first, {})
      ? { user: second, other: first }
      : { user: first, other: second }
  },
}
