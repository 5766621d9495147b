import { NO_SESSION } from '../../contract/ids.ts'
import { AMPLITUDE_FIELDS } from '../../pipeline/dialects/foreign/foreign-names.ts'
import { objectOf, type SourceObject, textOf } from '../../pipeline/dialects/foreign/foreign-value.ts'
import { anonymousIdOf, linkSessions, readTime, sessionless, toImported } from './foreign-event.ts'
import { type Imported, RejectedRecord, type WireIdentify } from './imported.ts'
import type { SessionFinder } from './session-finder.ts'

/** Events that only identify a user. */
const IDENTIFY_EVENTS: ReadonlySet<string> = new Set(['$identify', '$groupidentify'])

/** Amplitude's session id of an event outside of sessions. */
const OUTSIDE = '-1'

/** Converts an event of an Amplitude export. Throws {@link RejectedRecord}. */
export function readAmplitude(record: SourceObject, sessions: SessionFinder): Imported {
  const name = textOf(record.event_type)
  const user = textOf(record.user_id)
  const device = textOf(record.device_id) ?? textOf(record.amplitude_id)
  if (name === undefined) throw new RejectedRecord('the record has no event_type')
  const distinctId = user ?? (device === undefined ? undefined : anonymousIdOf(device))
  if (distinctId === undefined) throw new RejectedRecord('the event has no user_id and no device_id')
  const identify = readIdentify(user, device, objectOf(record.user_properties))
  if (IDENTIFY_EVENTS.has(name)) {
    linkSessions(identify, sessions)
    return { event: undefined, identify, propertiesDropped: 0 }
  }
  return toImported(
    {
      source: 'amplitude',
      name,
      identity: textOf(record.uuid) ?? textOf(record.$insert_id) ?? JSON.stringify(record),
      timeMs: readTime(record.event_time ?? record.client_event_time),
      distinctId,
      device: device === undefined ? undefined : anonymousIdOf(device),
      session: readSession(record.session_id, device ?? distinctId) ?? sessionless(record.library),
      properties: { ...fieldsOf(record), ...objectOf(record.event_properties) },
      identify,
    },
    sessions,
  )
}

/** Amplitude's session ids are start times, unique per device only. */
function readSession(session: unknown, device: string): string | undefined {
  const number = textOf(session)
  if (number === OUTSIDE) return NO_SESSION
  return number === undefined ? undefined : `${device}\0${number}`
}

function fieldsOf(record: SourceObject): SourceObject {
  return Object.fromEntries(
    AMPLITUDE_FIELDS.map((field) => [field, record[field]]).filter(
      ([, value]) => value !== '' && value !== null,
    ),
  )
}

function readIdentify(
  user: string | undefined,
  device: string | undefined,
  traits: SourceObject,
): WireIdentify | undefined {
  if (user === undefined) return undefined
  return {
    externalId: user,
    ...(device === undefined || device === user ? {} : { anonymousId: anonymousIdOf(device) }),
    ...(Object.keys(traits).length === 0 ? {} : { traits }),
  }
}
