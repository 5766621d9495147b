import { NO_SESSION } from '../../../contract/ids.ts'
import { isServerLibrary } from '../../../contract/server-libraries.ts'
import { checkDistinctId } from '../../event/event-rules.ts'
import type { PlainEvent } from '../../event/plain-properties.ts'
import { canonicalAddress } from '../../identity/client-address.ts'
import type { ForeignChange, ForeignClient, ForeignItem } from '../foreign/foreign-batch.ts'
import { readInstant } from '../foreign/foreign-instant.ts'
import { NAME_PROPERTY, readKind } from '../foreign/foreign-kind.ts'
import { FOREIGN_NAMES } from '../foreign/foreign-names.ts'
import { ForeignProperties } from '../foreign/foreign-properties.ts'
import { fieldOf, objectOf, type SourceObject, textOf } from '../foreign/foreign-value.ts'
import { deviceOf, visitorOf } from './mixpanel-ids.ts'
import { parseMixpanelTime } from './mixpanel-time.ts'
import { IDENTIFY_EVENTS, readClaim } from './read-claim.ts'

/** Facts of a request that its events share. */
export interface MixpanelRequest {
  /** The key that events may repeat; `undefined` for those of an export, which have passed Mixpanel. */
  readonly key: string | undefined
  readonly receivedMs: number
  /** Whether the request comes from where the user is. */
  readonly isOnDevice: boolean
}

/** An event whose name and distinct id are known. */
interface EventParts {
  readonly record: SourceObject
  readonly id: string | undefined
  readonly name: string
  readonly distinctId: string
  readonly properties: SourceObject
  readonly request: MixpanelRequest
  readonly changes: ForeignChange[]
}

/** Reads an event as Mixpanel's SDKs send it, and as its exports contain it. */
export function readMixpanelEvent(record: SourceObject, request: MixpanelRequest): ForeignItem {
  const properties = objectOf(fieldOf(record, 'properties'))
  const id = textOf(fieldOf(properties, '$insert_id'))
  const drop = (dropped: NonNullable<ForeignItem['dropped']>): ForeignItem => ({ id, dropped })
  const key = textOf(fieldOf(properties, 'token'))
  if (key !== undefined && request.key !== undefined && key !== request.key) return drop('other_key')
  const name = textOf(fieldOf(record, 'event'))
  if (name === undefined) return drop('no_name')
  const identification = readClaim(name, properties)
  if (IDENTIFY_EVENTS.has(name)) return identification ? { id, identification } : drop('no_distinct_id')
  const distinctId = readDistinctId(properties)
  if (distinctId === undefined) return drop('no_distinct_id')
  if (checkDistinctId(distinctId) !== undefined) return drop('invalid_distinct_id')
  const changes: ForeignChange[] = []
  const event = readEvent({ record, id, name, distinctId, properties, request, changes })
  const device = isOnDevice(properties) ? deviceOf(distinctId, properties) : undefined
  return { id, event, client: readClient(properties, request), device, identification, changes }
}

/** The distinct id as sent. Servers may send only the ids of which Mixpanel makes one. */
function readDistinctId(properties: SourceObject): string | undefined {
  return (
    textOf(fieldOf(properties, 'distinct_id')) ??
    textOf(fieldOf(properties, '$user_id')) ??
    visitorOf(properties)
  )
}

function readEvent({ record, id, name, distinctId, properties, request, changes }: EventParts): PlainEvent {
  const { kind, isRenamed } = readKind(name, FOREIGN_NAMES.mixpanel.kinds)
  const { eventId, timeMs, isReplaced } = readInstant({
    source: 'mixpanel',
    record,
    id,
    sent: fieldOf(properties, 'time'),
    sentMs: parseMixpanelTime(fieldOf(properties, 'time')),
    otherMs: () => request.receivedMs,
  })
  if (isReplaced) changes.push('time_replaced')
  const named = new ForeignProperties(FOREIGN_NAMES.mixpanel)
  named.addAll(properties)
  if (isRenamed && fieldOf(properties, NAME_PROPERTY) === undefined) named.add(NAME_PROPERTY, name)
  return {
    eventId,
    kind,
    timeMs,
    distinctId,
    sessionId: NO_SESSION,
    cookieless: false,
    properties: named.fit(changes),
  }
}

/** Whether the library of an event runs in a browser or an app. */
function isOnDevice(properties: SourceObject): boolean {
  const library = textOf(fieldOf(properties, 'mp_lib')) ?? ''
  return library !== '' && !isServerLibrary(library)
}

/** The client of the user. The user agent of a request is that of the user in browsers only. */
function readClient(properties: SourceObject, request: MixpanelRequest): ForeignClient {
  const ip = textOf(fieldOf(properties, 'ip')) ?? textOf(fieldOf(properties, '$ip'))
  const userAgent = textOf(fieldOf(properties, '$user_agent'))
  const isBrowser = request.isOnDevice && fieldOf(properties, 'mp_lib') === 'web'
  return {
    place:
      request.isOnDevice && ip === undefined
        ? 'request'
        : { address: ip === undefined ? undefined : canonicalAddress(ip) },
    agent: isBrowser && userAgent === undefined ? 'request' : { userAgent },
  }
}
