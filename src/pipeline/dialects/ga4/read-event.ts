import { checkDistinctId, checkOccurTime } from '../../event/event-rules.ts'
import type { ForeignChange, ForeignItem } from '../foreign/foreign-batch.ts'
import { sessionIdOf } from '../foreign/foreign-ids.ts'
import { readInstant } from '../foreign/foreign-instant.ts'
import { NAME_PROPERTY, readKind } from '../foreign/foreign-kind.ts'
import type { ForeignNames } from '../foreign/foreign-names.ts'
import { ForeignProperties } from '../foreign/foreign-properties.ts'
import { fieldOf, isObject, objectOf, type SourceObject, textOf } from '../foreign/foreign-value.ts'

/** Names of GA4 and their equivalents here. Most names of events are the same. */
const GA4_NAMES: ForeignNames = {
  kinds: {},
  properties: {
    page_location: '$url',
    page_referrer: '$referrer',
    page_title: '$title',
    language: '$language',
  },
  omitted: new Set(['session_id', 'ga_session_id', 'debug_mode']),
}

/** Fields of `device` and `user_location`, which hold for all events of a request → auto property. */
const REQUEST_FIELDS = {
  device: {
    category: '$deviceType',
    operating_system: '$os',
    operating_system_version: '$osVersion',
    model: '$device',
    browser: '$browser',
    browser_version: '$browserVersion',
    language: '$language',
  },
  user_location: { country_id: '$country', region_id: '$region', city: '$city' },
} as const

/** The request that an event is of. */
export interface Ga4Place {
  readonly root: SourceObject
  /** Properties that hold for all events of the request, when they are known. */
  readonly shared?: SourceObject
  /** Its place in the request: two equal events are two, and a retry has the same places. */
  readonly index: number | string
  readonly receivedMs: number
}

/** Reads an event of the Measurement Protocol. It has no id, so that only one with a time can be sent again. */
export function readGa4Event(record: unknown, place: Ga4Place): Omit<ForeignItem, 'id'> {
  if (!isObject(record)) return { dropped: 'not_an_object' }
  const { root, shared = readRequestFields(root), index, receivedMs } = place
  const name = textOf(fieldOf(record, 'name'))
  if (name === undefined) return { dropped: 'no_name' }
  const device = textOf(fieldOf(root, 'client_id')) ?? textOf(fieldOf(root, 'app_instance_id'))
  const distinctId = textOf(fieldOf(root, 'user_id')) ?? device
  if (distinctId === undefined) return { dropped: 'no_distinct_id' }
  if (checkDistinctId(distinctId) !== undefined) return { dropped: 'invalid_distinct_id' }
  const params = objectOf(fieldOf(record, 'params'))
  const { kind, isRenamed } = readKind(name, GA4_NAMES.kinds)
  const micros = fieldOf(record, 'timestamp_micros') ?? fieldOf(root, 'timestamp_micros')
  const changes: ForeignChange[] = []
  const { eventId, timeMs, isReplaced } = readInstant({
    source: 'ga4',
    record: { distinctId, index, micros: textOf(micros), name, params },
    id: undefined,
    sent: micros,
    sentMs: micros === undefined ? undefined : timeOf(micros),
    otherMs: () => receivedMs,
  })
  if (isReplaced) changes.push('time_replaced')
  const own = new ForeignProperties(GA4_NAMES)
  if (isRenamed) own.add(NAME_PROPERTY, name)
  own.addAll(shared)
  own.addAll(params)
  const event = {
    eventId,
    kind,
    timeMs,
    distinctId,
    sessionId: sessionIdOf('ga4', readSession(params), device),
    cookieless: false,
    properties: own.fit(changes),
  }
  return { event, changes }
}

/** Google's own libraries name the session otherwise, and so do exports. */
function readSession(params: SourceObject): string | undefined {
  return textOf(fieldOf(params, 'session_id')) ?? textOf(fieldOf(params, 'ga_session_id'))
}

/** Microseconds, as a number or its text; `undefined` for what is no time. */
function timeOf(micros: unknown): number | undefined {
  const isNumber = typeof micros === 'number' || typeof micros === 'string'
  const timeMs = isNumber ? Math.trunc(Number(micros) / 1000) : Number.NaN
  return checkOccurTime(timeMs) === undefined ? timeMs : undefined
}

/** The properties of the device and the place that a request names. */
export function readRequestFields(root: SourceObject): SourceObject {
  const found = Object.entries(REQUEST_FIELDS).flatMap(([name, fields]) => {
    const source = objectOf(fieldOf(root, name))
    return Object.entries(fields).map(([field, property]): [string, unknown] => [
      property,
      fieldOf(source, field),
    ])
  })
  return Object.fromEntries(found.filter(([, value]) => value !== undefined))
}
