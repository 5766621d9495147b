import { NO_SESSION } from '../../../contract/ids.ts'
import { isServerLibrary } from '../../../contract/server-libraries.ts'
import { checkDistinctId } from '../../event/event-rules.ts'
import type { PlainEvent } from '../../event/plain-properties.ts'
import { canonicalAddress } from '../../identity/client-address.ts'
import type { ForeignChange, ForeignClient, ForeignItem } from '../foreign/foreign-batch.ts'
import { sessionIdOf } from '../foreign/foreign-ids.ts'
import { readInstant } from '../foreign/foreign-instant.ts'
import { NAME_PROPERTY, readKind } from '../foreign/foreign-kind.ts'
import { FOREIGN_NAMES } from '../foreign/foreign-names.ts'
import { ForeignProperties, noteSkew } from '../foreign/foreign-properties.ts'
import { fieldOf, isObject, objectOf, type SourceObject, textOf } from '../foreign/foreign-value.ts'
import { readIdentification } from './read-identification.ts'

/** Facts of a request that its events share. */
export interface PosthogRequest {
  /** The key that events may repeat; `undefined` for those of an export, which have passed PostHog. */
  readonly key: string | undefined
  readonly receivedMs: number
  /** How far the clock of the client is ahead, in milliseconds; `undefined` while it is about right. */
  readonly skewMs: number | undefined
  /** The name of an event without one, as at `/engage/`. */
  readonly nameOfUnnamed: string | undefined
}

/** Events that only say something about a person. */
const IDENTIFY_EVENTS: ReadonlySet<string> = new Set([
  '$identify',
  '$create_alias',
  '$merge_dangerously',
  '$set',
])

/** Libraries whose user agent is that of the browser. */
const BROWSER_LIBRARIES: ReadonlySet<string> = new Set(['web', 'js', 'posthog-js-lite'])

/** The distinct id of visitors without a cookie. */
const COOKIELESS_ID = '$posthog_cookieless'

/** Reads an event as PostHog's SDKs send it. */
export function readPosthogEvent(record: unknown, request: PosthogRequest): ForeignItem {
  if (!isObject(record)) return { id: undefined, dropped: 'not_an_object' }
  const properties = objectOf(fieldOf(record, 'properties'))
  const options = objectOf(fieldOf(record, 'options'))
  const id = textOf(fieldOf(record, 'uuid'))
  const drop = (dropped: NonNullable<ForeignItem['dropped']>): ForeignItem => ({ id, dropped })
  const key = textOf(fieldOf(record, 'api_key')) ?? textOf(fieldOf(record, 'token'))
  if (key !== undefined && request.key !== undefined && key !== request.key) return drop('other_key')
  const name = textOf(fieldOf(record, 'event')) ?? request.nameOfUnnamed
  if (name === undefined) return drop('no_name')
  if (name === '$groupidentify') return drop('groups_not_supported')
  if (name === '$snapshot' || name === '$snapshot_items') return drop('recordings_not_supported')
  const distinctId = readDistinctId(record, properties)
  if (distinctId === undefined) return drop('no_distinct_id')
  if (checkDistinctId(distinctId) !== undefined) return drop('invalid_distinct_id')
  const person = readIdentification({ record, name, distinctId, properties, options })
  const changes: ForeignChange[] = [...person.changes]
  const { identification } = person
  if (IDENTIFY_EVENTS.has(name)) return { id, identification, changes }
  const event = readEvent({ record, id, name, distinctId, properties, options, request, changes })
  return {
    id,
    event,
    client: readClient(properties),
    device: deviceOf(event, properties),
    identification,
    changes,
  }
}

interface EventParts {
  readonly record: SourceObject
  readonly id: string | undefined
  readonly name: string
  readonly distinctId: string
  readonly properties: SourceObject
  readonly options: SourceObject
  readonly request: PosthogRequest
  readonly changes: ForeignChange[]
}

function readEvent(parts: EventParts): PlainEvent {
  const { record, name, distinctId, properties } = parts
  const names = FOREIGN_NAMES.posthog
  const { kind, isRenamed } = readKind(name, names.kinds)
  const session = textOf(fieldOf(record, 'session_id')) ?? textOf(fieldOf(properties, '$session_id'))
  const cookieless = isCookieless(parts)
  const identity = cookieless
    ? { distinctId: '', sessionId: '' }
    : { distinctId, sessionId: sessionIdOf('posthog', session, textOf(fieldOf(properties, '$device_id'))) }
  const { eventId, timeMs, isReplaced } = readInstant({
    source: 'posthog',
    record,
    id: parts.id,
    sent: fieldOf(record, 'timestamp'),
    otherMs: () => timeBeforeReceipt(parts),
  })
  if (isReplaced) parts.changes.push('time_replaced')
  const own = new ForeignProperties(names)
  own.addAll(properties)
  if (name === '$exception') addException(own, properties)
  if (isRenamed && fieldOf(properties, NAME_PROPERTY) === undefined) own.add(NAME_PROPERTY, name)
  return {
    eventId,
    timeMs,
    kind,
    ...identity,
    cookieless,
    properties: noteSkew(own.fit(parts.changes), parts.request.skewMs, parts.changes),
  }
}

/** The list of an exception and its causes has their stacks, so that it is mostly too long to be stored. */
function addException(own: ForeignProperties, properties: SourceObject): void {
  const list = fieldOf(properties, '$exception_list')
  const exception = objectOf(Array.isArray(list) ? list[0] : undefined)
  const [type, message] = [textOf(fieldOf(exception, 'type')), textOf(fieldOf(exception, 'value'))]
  if (type !== undefined && !own.has('$exception_type')) own.add('$exception_type', type)
  if (message !== undefined && !own.has('$exception_message')) own.add('$exception_message', message)
}

/** In an export, PostHog has given visitors without a cookie an id for each day. */
function isCookieless({ distinctId, properties, options, request }: EventParts): boolean {
  if (distinctId === COOKIELESS_ID) return true
  if (request.key === undefined) return false
  return fieldOf(properties, '$cookieless_mode') === true || fieldOf(options, 'cookieless_mode') === true
}

/** The time that is left when an event has no valid one: `offset` says how long ago it was. */
function timeBeforeReceipt({ record, request }: EventParts): number {
  const offset = fieldOf(record, 'offset')
  const isValid = typeof offset === 'number' && offset >= 0 && offset < request.receivedMs
  return request.receivedMs - (isValid ? Math.trunc(offset) : 0)
}

/** Any scalar is an id. */
function readDistinctId(record: SourceObject, properties: SourceObject): string | undefined {
  const sent = [
    fieldOf(record, 'distinct_id'),
    fieldOf(properties, 'distinct_id'),
    fieldOf(record, '$distinct_id'),
  ].find((id) => id !== undefined && id !== null && id !== '')
  if (typeof sent === 'boolean') return String(sent)
  return textOf(sent)
}

/** The device of an event whose library has no sessions. */
function deviceOf(event: PlainEvent, properties: SourceObject): string | undefined {
  const device = textOf(fieldOf(properties, '$device_id'))
  const needsSession = !event.cookieless && event.sessionId === NO_SESSION && isOnDevice(properties)
  return needsSession ? device : undefined
}

function isOnDevice(properties: SourceObject): boolean {
  const library = textOf(fieldOf(properties, '$lib')) ?? ''
  return library !== '' && !isServerLibrary(library) && fieldOf(properties, '$is_server') !== true
}

/** The client of the user: requests of servers say nothing about it, except what the event itself names. */
function readClient(properties: SourceObject): ForeignClient {
  const library = textOf(fieldOf(properties, '$lib')) ?? ''
  const isDevice = isOnDevice(properties)
  const isLocated = fieldOf(properties, '$geoip_disable') !== true
  const ip = isLocated ? textOf(fieldOf(properties, '$ip')) : undefined
  const userAgent =
    textOf(fieldOf(properties, '$raw_user_agent')) ?? textOf(fieldOf(properties, '$user_agent'))
  return {
    place:
      isDevice && isLocated ? 'request' : { address: ip === undefined ? undefined : canonicalAddress(ip) },
    agent: isDevice && BROWSER_LIBRARIES.has(library) ? 'request' : { userAgent },
  }
}
