import { LIMITS } from '../../kernel/limits.ts'
import { parseRfc3339 } from '../../pipeline/decode/rfc3339.ts'
import { uuidV5 } from '../../pipeline/identity/derived-ids.ts'
import { readProperties } from './foreign-properties.ts'
import { FOREIGN_NAMES, type ForeignSource } from './foreign-tables.ts'
import {
  type Imported,
  RejectedRecord,
  type SourceObject,
  type WireEvent,
  type WireIdentify,
} from './imported.ts'
import type { SessionFinder } from './session-finder.ts'

/** What a source says of an event, in this service's terms but for names. */
export interface ForeignEvent {
  readonly source: ForeignSource
  readonly name: string
  /** What makes the event the same one when it is imported again. */
  readonly identity: string
  readonly timeMs: number
  readonly distinctId: string
  /** The anonymous id of the device that caused it, also when somebody is signed in there. */
  readonly device: string | undefined
  /** A session of the source: a UUID, or a text that no other session of the source has. */
  readonly session: string | undefined
  readonly properties: SourceObject
  readonly identify: WireIdentify | undefined
}

/** Property that has the name of an event whose kind is another text. */
const NAME_PROPERTY = 'event_name'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Turns an event of another service into one of this service. Throws {@link RejectedRecord}. */
export function toImported(event: ForeignEvent, sessions: SessionFinder): Imported {
  const { source, identity, timeMs, distinctId, device, session } = event
  const names = FOREIGN_NAMES[source]
  linkSessions(event.identify, sessions)
  const { kind, isOther } = readKind(event.name, names.kinds)
  const { auto, custom, leftOut } = readProperties(event.properties, names)
  const wire: WireEvent = {
    eventId: uuidV5(`import\0${source}\0${identity}`),
    kind,
    occurTime: new Date(timeMs).toISOString(),
    distinctId,
    sessionId: readSession(session, source) ?? sessions.find({ distinctId, device, timeMs }),
    autoProperties: auto,
    customProperties:
      isOther && custom[NAME_PROPERTY] === undefined
        ? { ...custom, [NAME_PROPERTY]: { stringValue: event.name.slice(0, LIMITS.kindCodePointsMax) } }
        : custom,
  }
  return { event: JSON.stringify(wire), identify: event.identify, leftOut }
}

/** The time of an event as exports write it: RFC 3339, also with a blank for the T, and UTC when no zone is said. */
export function readTime(text: unknown): number {
  const [, date, time, zone = 'Z'] =
    /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?) ?(Z|[+-]\d{2}:\d{2})?$/.exec(String(text)) ??
    []
  const ms = date === undefined ? undefined : parseRfc3339(`${date}T${time}${zone}`)
  if (ms === undefined) throw new RejectedRecord('the event has no time that can be read')
  return ms
}

/** The id of somebody whom the source does not know by name, as Identify takes it. */
export function anonymousIdOf(id: string): string {
  return id.startsWith('anon-') ? id : `anon-${id}`
}

/** Takes note of what an Identify says for the sessions that are found: a sign-in ends none. */
export function linkSessions(identify: WireIdentify | undefined, sessions: SessionFinder): void {
  if (identify?.anonymousId !== undefined) sessions.link(identify.anonymousId, identify.externalId)
}

/** The distinct id is no part of it: it changes when somebody signs in, and the session goes on. */
function readSession(session: string | undefined, source: ForeignSource): string | undefined {
  if (session === undefined) return undefined
  return UUID.test(session) ? session.toLowerCase() : uuidV5(`session\0${source}\0${session}`)
}

function readKind(
  name: string,
  kinds: Readonly<Record<string, string>>,
): { readonly kind: string; readonly isOther: boolean } {
  const known = Object.hasOwn(kinds, name) ? kinds[name] : undefined
  if (known !== undefined) return { kind: known, isOther: false }
  const kind = name
    .replaceAll(/[^a-zA-Z0-9_.-]+/g, '_')
    .replace(/^_+/, '')
    .replace(/_+$/, '')
    .slice(0, LIMITS.kindCodePointsMax)
  if (kind === '') throw new RejectedRecord('the event has no name that a kind can be made of')
  return { kind, isOther: kind !== name }
}
