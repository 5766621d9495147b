import { isUuid, NO_SESSION } from '../../contract/ids.ts'
import type { PropertyValue } from '../../contract/property-types.ts'
import { isServerLibrary } from '../../contract/server-libraries.ts'
import { unreachable } from '../../kernel/assert.ts'
import { LIMITS } from '../../kernel/limits.ts'
import { NAME_PROPERTY, readKind } from '../../pipeline/dialects/foreign/foreign-kind.ts'
import { FOREIGN_NAMES, type ForeignSource } from '../../pipeline/dialects/foreign/foreign-names.ts'
import { readProperties } from '../../pipeline/dialects/foreign/foreign-properties.ts'
import { parseForeignTime } from '../../pipeline/dialects/foreign/foreign-time.ts'
import { type SourceObject, textOf } from '../../pipeline/dialects/foreign/foreign-value.ts'
import type { Property } from '../../pipeline/event/event.ts'
import { uuidV5 } from '../../pipeline/identity/derived-ids.ts'
import {
  type Imported,
  RejectedRecord,
  type WireEvent,
  type WireIdentify,
  type WireValue,
} from './imported.ts'
import type { SessionFinder } from './session-finder.ts'

/** An event of another service, in this service's terms except for its names. */
export interface ForeignEvent {
  readonly source: ForeignSource
  readonly name: string
  /** Text that identifies the event, so that importing it again yields the same event id. */
  readonly identity: string
  readonly timeMs: number
  readonly distinctId: string
  /** The anonymous id of the device, also while a user is signed in. */
  readonly device: string | undefined
  /** A session of the source: a UUID, or a text that is unique within the source. */
  readonly session: string | undefined
  readonly properties: SourceObject
  readonly identify: WireIdentify | undefined
}

/** Converts an event of another service. Throws {@link RejectedRecord}. */
export function toImported(event: ForeignEvent, sessions: SessionFinder): Imported {
  const { source, identity, timeMs, distinctId, device, session } = event
  const names = FOREIGN_NAMES[source]
  linkSessions(event.identify, sessions)
  const { kind, isRenamed } = readKind(event.name, names.kinds)
  const { properties, dropped } = readProperties(event.properties, names)
  const custom = toWire(properties.filter(({ key }) => !key.startsWith('$')))
  const wire: WireEvent = {
    eventId: uuidV5(`import\0${source}\0${identity}`),
    kind,
    occurTime: new Date(timeMs).toISOString(),
    distinctId,
    sessionId: readSession(session, source) ?? sessions.find({ distinctId, device, timeMs }),
    autoProperties: toWire(properties.filter(({ key }) => key.startsWith('$'))),
    customProperties:
      isRenamed && custom[NAME_PROPERTY] === undefined
        ? { ...custom, [NAME_PROPERTY]: { stringValue: event.name.slice(0, LIMITS.kindCodePointsMax) } }
        : custom,
  }
  return { event: JSON.stringify(wire), identify: event.identify, propertiesDropped: dropped }
}

/** Parses the time of an event; see {@link parseForeignTime}. */
export function readTime(text: unknown): number {
  const ms = parseForeignTime(text)
  if (ms === undefined) throw new RejectedRecord('the event has no valid time')
  return ms
}

/** The session of an event that names none, by the library that sent it: none when it runs on a server. */
export function sessionless(library: unknown): string | undefined {
  return isServerLibrary(textOf(library) ?? '') ? NO_SESSION : undefined
}

/** The id of an anonymous user of the source, in the form that Identify requires. */
export function anonymousIdOf(id: string): string {
  return id.startsWith('anon-') ? id : `anon-${id}`
}

/** Passes the ids of an Identify on to the session finder: a sign-in does not end a session. */
export function linkSessions(identify: WireIdentify | undefined, sessions: SessionFinder): void {
  const claimed = identify?.anonymousId ?? identify?.previousId
  if (identify !== undefined && claimed !== undefined) sessions.link(claimed, identify.externalId)
}

/** Independent of the distinct id, which changes at a sign-in while the session continues. */
function readSession(session: string | undefined, source: ForeignSource): string | undefined {
  if (session === undefined) return undefined
  return isUuid(session) ? session.toLowerCase() : uuidV5(`session\0${source}\0${session}`)
}

/** Properties in the proto JSON of an event. */
export function toWire(properties: readonly Property[]): Readonly<Record<string, WireValue>> {
  return Object.fromEntries(properties.map(({ key, value }) => [key, wireValue(value)]))
}

function wireValue(value: PropertyValue): WireValue {
  switch (value.type) {
    case 'string':
      return { stringValue: value.value }
    case 'int':
      return { intValue: String(value.value) }
    case 'double':
      return { doubleValue: value.value }
    case 'bool':
      return { boolValue: value.value }
    case 'time':
      throw new TypeError('a record has an instant as a property')
    default:
      return unreachable(value)
  }
}
