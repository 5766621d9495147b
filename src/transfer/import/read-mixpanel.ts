import { anonymousIdOf, toImported } from './foreign-event.ts'
import {
  type Imported,
  objectOf,
  RejectedRecord,
  type SourceObject,
  textOf,
  type WireIdentify,
} from './imported.ts'
import type { SessionFinder } from './session-finder.ts'

const ABOUT_PEOPLE: ReadonlySet<string> = new Set(['$identify', '$create_alias', '$merge'])

/** Mixpanel's own mark of a device's id. */
const DEVICE_PREFIX = '$device:'

/** Beyond this a time is in milliseconds: in seconds it would be the year 5138. */
const SECONDS_MAX = 100_000_000_000

/** Reads an event of Mixpanel's raw export. Throws {@link RejectedRecord}. */
export function readMixpanel(record: SourceObject, sessions: SessionFinder): Imported {
  const properties = objectOf(record.properties)
  const name = textOf(record.event)
  const id = textOf(properties.distinct_id)
  if (name === undefined) throw new RejectedRecord('the record has no event')
  if (id === undefined) throw new RejectedRecord('the event has no distinct_id')
  const identify = readIdentify(name, id, properties)
  if (ABOUT_PEOPLE.has(name)) return { event: undefined, identify, leftOut: 0 }
  return toImported(
    {
      source: 'mixpanel',
      name,
      identity: identityOf(name, id, properties) ?? JSON.stringify(record),
      timeMs: readTime(properties.time),
      distinctId: isAnonymous(id, properties) ? anonymousIdOf(stripDevice(id)) : id,
      session: undefined,
      properties,
      identify,
    },
    sessions,
  )
}

/** Mixpanel takes events for the same that have these four in common. */
function identityOf(name: string, id: string, properties: SourceObject): string | undefined {
  const insertId = textOf(properties.$insert_id)
  return insertId === undefined ? undefined : JSON.stringify([name, properties.time, id, insertId])
}

function readTime(time: unknown): number {
  const number = typeof time === 'string' ? Number(time) : time
  if (typeof number !== 'number' || !Number.isFinite(number)) {
    throw new RejectedRecord('the event has no time that can be read')
  }
  const ms = Math.trunc(number > SECONDS_MAX ? number : number * 1000)
  if (Math.abs(ms) > 8.64e15) throw new RejectedRecord('the event has no time that can be read')
  return ms
}

function isAnonymous(id: string, properties: SourceObject): boolean {
  return id.startsWith(DEVICE_PREFIX) || (id === properties.$device_id && properties.$user_id === undefined)
}

function stripDevice(id: string): string {
  return id.startsWith(DEVICE_PREFIX) ? id.slice(DEVICE_PREFIX.length) : id
}

function readIdentify(name: string, id: string, properties: SourceObject): WireIdentify | undefined {
  if (name === '$identify') return link(textOf(properties.$identified_id) ?? id, textOf(properties.$anon_id))
  if (name === '$create_alias') return link(id, textOf(properties.alias))
  if (name === '$merge') return undefined
  const user = textOf(properties.$user_id)
  return user === undefined ? undefined : link(user, textOf(properties.$device_id))
}

function link(externalId: string, anonymousId: string | undefined): WireIdentify {
  const other = anonymousId === undefined ? undefined : stripDevice(anonymousId)
  return other === undefined || other === externalId
    ? { externalId }
    : { externalId, anonymousId: anonymousIdOf(other) }
}
