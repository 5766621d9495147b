import { isUuid, NO_SESSION } from '../../contract/ids.ts'
import { isServerLibrary } from '../../contract/server-libraries.ts'
import { LIMITS } from '../../kernel/limits.ts'
import { parseRfc3339 } from '../../pipeline/decode/rfc3339.ts'
import { uuidV5 } from '../../pipeline/identity/derived-ids.ts'
import { readProperties } from './foreign-properties.ts'
import { FOREIGN_NAMES, type ForeignSource } from './foreign-tables.ts'
import {
  type Imported,
  RejectedRecord,
  type SourceObject,
  textOf,
  type WireEvent,
  type WireIdentify,
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

/** Property that holds the original name of an event whose kind differs from it. */
const NAME_PROPERTY = 'event_name'

/** Converts an event of another service. Throws {@link RejectedRecord}. */
export function toImported(event: ForeignEvent, sessions: SessionFinder): Imported {
  const { source, identity, timeMs, distinctId, device, session } = event
  const names = FOREIGN_NAMES[source]
  linkSessions(event.identify, sessions)
  const { kind, isRenamed } = readKind(event.name, names.kinds)
  const { auto, custom, dropped } = readProperties(event.properties, names)
  const wire: WireEvent = {
    eventId: uuidV5(`import\0${source}\0${identity}`),
    kind,
    occurTime: new Date(timeMs).toISOString(),
    distinctId,
    sessionId: readSession(session, source) ?? sessions.find({ distinctId, device, timeMs }),
    autoProperties: auto,
    customProperties:
      isRenamed && custom[NAME_PROPERTY] === undefined
        ? { ...custom, [NAME_PROPERTY]: { stringValue: event.name.slice(0, LIMITS.kindCodePointsMax) } }
        : custom,
  }
  return { event: JSON.stringify(wire), identify: event.identify, propertiesDropped: dropped }
}

/** Parses the time of an event as exports print it: RFC 3339, also with a space for the T, and in UTC without a zone. */
export function readTime(text: unknown): number {
  const [, date, time, zone = 'Z'] =
    /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?) ?(Z|[+-]\d{2}:\d{2})?$/.exec(String(text)) ??
    []
  const ms = date === undefined ? undefined : parseRfc3339(`${date}T${time}${zone}`)
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
  if (identify?.anonymousId !== undefined) sessions.link(identify.anonymousId, identify.externalId)
}

/** Independent of the distinct id, which changes at a sign-in while the session continues. */
function readSession(session: string | undefined, source: ForeignSource): string | undefined {
  if (session === undefined) return undefined
  return isUuid(session) ? session.toLowerCase() : uuidV5(`session\0${source}\0${session}`)
}

function readKind(
  name: string,
  kinds: Readonly<Record<string, string>>,
): { readonly kind: string; readonly isRenamed: boolean } {
  const known = Object.hasOwn(kinds, name) ? kinds[name] : undefined
  if (known !== undefined) return { kind: known, isRenamed: false }
  const kind = name
    .replaceAll(/[^a-zA-Z0-9_.-]+/g, '_')
    .replace(/^_+/, '')
    .replace(/_+$/, '')
    .slice(0, LIMITS.kindCodePointsMax)
  if (kind === '') throw new RejectedRecord('the name of the event has no character that a kind may have')
  return { kind, isRenamed: kind !== name }
}
