import type { TimeZone } from '../../domain/insights/time-zone.ts'
import { objectOf, type SourceObject, textOf } from '../../pipeline/dialects/foreign/foreign-value.ts'
import { anonymousIdOf, linkSessions, sessionless, toImported } from './foreign-event.ts'
import { type Imported, RejectedRecord, type WireIdentify } from './imported.ts'
import type { MapContext } from './map-record.ts'

/** Events that only identify a user. */
const IDENTIFY_EVENTS: ReadonlySet<string> = new Set(['$identify', '$create_alias', '$merge'])

/** Mixpanel's prefix of device ids. */
const DEVICE_PREFIX = '$device:'

/** A greater time is in milliseconds: as seconds it would be beyond the year 5138. */
const SECONDS_MAX = 100_000_000_000

const DAY_MS = 86_400_000

/** Converts an event of a raw Mixpanel export. Throws {@link RejectedRecord}. */
export function readMixpanel(record: SourceObject, { sessions, timeZone }: MapContext): Imported {
  const properties = objectOf(record.properties)
  const name = textOf(record.event)
  const id = textOf(properties.distinct_id)
  if (name === undefined) throw new RejectedRecord('the record has no event')
  if (id === undefined) throw new RejectedRecord('the event has no distinct_id')
  const identify = readIdentify(name, id, properties)
  if (IDENTIFY_EVENTS.has(name)) {
    linkSessions(identify, sessions)
    return { event: undefined, identify, propertiesDropped: 0 }
  }
  return toImported(
    {
      source: 'mixpanel',
      name,
      identity: identityOf(name, id, properties) ?? JSON.stringify(record),
      timeMs: toInstant(readTime(properties.time), timeZone),
      distinctId: isAnonymous(id, properties) ? anonymousIdOf(stripDevice(id)) : id,
      device: deviceOf(id, properties),
      session: sessionless(properties.mp_lib),
      properties,
      identify,
    },
    sessions,
  )
}

/** Mixpanel deduplicates events by these four values. */
function identityOf(name: string, id: string, properties: SourceObject): string | undefined {
  const insertId = textOf(properties.$insert_id)
  return insertId === undefined ? undefined : JSON.stringify([name, properties.time, id, insertId])
}

function readTime(time: unknown): number {
  const number = typeof time === 'string' ? Number(time) : time
  if (typeof number !== 'number' || !Number.isFinite(number)) {
    throw new RejectedRecord('the event has no valid time')
  }
  const ms = Math.trunc(number > SECONDS_MAX ? number : number * 1000)
  if (Math.abs(ms) > 8.64e15) throw new RejectedRecord('the event has no valid time')
  return ms
}

/**
 * Projects created before 2023 export the wall-clock time of their zone as if it were UTC. When daylight saving time ends, a
 * repeated hour is taken for its first occurrence.
 */
function toInstant(wallMs: number, timeZone: TimeZone | undefined): number {
  if (timeZone === undefined) return wallMs
  const segments = timeZone.segments(wallMs - DAY_MS, wallMs + DAY_MS)
  const [first] = segments
  const found = segments.find(({ startMs, offsetMs }, index) => {
    const ms = wallMs - offsetMs
    return ms >= startMs && ms < (segments[index + 1]?.startMs ?? Number.POSITIVE_INFINITY)
  })
  return wallMs - (found ?? first ?? { offsetMs: 0 }).offsetMs
}

function isAnonymous(id: string, properties: SourceObject): boolean {
  return id.startsWith(DEVICE_PREFIX) || (id === properties.$device_id && properties.$user_id === undefined)
}

function deviceOf(id: string, properties: SourceObject): string | undefined {
  const device = textOf(properties.$device_id) ?? (id.startsWith(DEVICE_PREFIX) ? id : undefined)
  return device === undefined ? undefined : anonymousIdOf(stripDevice(device))
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
