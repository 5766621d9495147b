import { NO_SESSION } from '../../../contract/ids.ts'
import { isServerLibrary } from '../../../contract/server-libraries.ts'
import { checkDistinctId, checkOccurTime } from '../../event/event-rules.ts'
import { canonicalAddress } from '../../identity/client-address.ts'
import type { ForeignChange, ForeignClient, ForeignItem } from '../foreign/foreign-batch.ts'
import { sessionIdOf } from '../foreign/foreign-ids.ts'
import { readInstant } from '../foreign/foreign-instant.ts'
import { NAME_PROPERTY, readKind } from '../foreign/foreign-kind.ts'
import { AMPLITUDE_FIELDS, FOREIGN_NAMES } from '../foreign/foreign-names.ts'
import { fitProperties, noteSkew } from '../foreign/foreign-properties.ts'
import { fieldOf, objectOf, type SourceObject, textOf } from '../foreign/foreign-value.ts'
import { readIdentification } from './read-identification.ts'

/** The session id of an event outside of sessions. */
const OUTSIDE = '-1'

/** Fields of live events → the name of the same field in an export. */
const FIELD_NAMES: Readonly<Record<string, string>> = {
  app_version: 'version_name',
  device_model: 'device_family',
  ...Object.fromEntries(AMPLITUDE_FIELDS.map((name) => [name, name])),
}

/** Names of revenue, at the event and in the properties of a revenue event → property. */
const REVENUE_NAMES: Readonly<Record<string, string>> = {
  revenue: 'revenue',
  price: 'price',
  quantity: 'quantity',
  productId: 'productId',
  revenueType: 'revenueType',
  currency: 'currency',
}

/** Facts of a request that its events share. */
export interface AmplitudeRequest {
  readonly receivedMs: number
  /** How far the clock of the client is ahead, in milliseconds; `undefined` while it is about right. */
  readonly skewMs: number | undefined
}

/** Reads an event as Amplitude's SDKs send it. Those of an export are brought into this form first. */
export function readAmplitudeEvent(
  record: SourceObject,
  { receivedMs, skewMs }: AmplitudeRequest,
): Omit<ForeignItem, 'id'> {
  const name = textOf(fieldOf(record, 'event_type'))
  if (name === undefined) return { dropped: 'no_name' }
  if (name === '$groupidentify') return { dropped: 'groups_not_supported' }
  const device = textOf(fieldOf(record, 'device_id'))
  const distinctId = textOf(fieldOf(record, 'user_id')) ?? device
  if (distinctId === undefined) return { dropped: 'no_distinct_id' }
  if (checkDistinctId(distinctId) !== undefined) return { dropped: 'invalid_distinct_id' }
  const person = readIdentification(record)
  const { identification } = person
  const told = identification === undefined ? {} : { identification }
  const changes: ForeignChange[] = [...person.changes]
  if (name === '$identify') return { ...told, changes }
  const { kind, isRenamed } = readKind(name, FOREIGN_NAMES.amplitude.kinds)
  const { eventId, timeMs, isReplaced } = readInstant({
    source: 'amplitude',
    record,
    id: textOf(fieldOf(record, 'insert_id')),
    sent: fieldOf(record, 'time'),
    sentMs: timeOf(record),
    otherMs: () => receivedMs,
  })
  if (isReplaced) changes.push('time_replaced')
  const session = textOf(fieldOf(record, 'session_id'))
  const source = { ...readFields(record), ...(isRenamed ? { [NAME_PROPERTY]: name } : {}) }
  const event = {
    eventId,
    kind,
    timeMs,
    distinctId,
    sessionId: session === OUTSIDE ? NO_SESSION : sessionIdOf('amplitude', session, device),
    cookieless: false,
    properties: noteSkew(fitProperties(source, FOREIGN_NAMES.amplitude, changes), skewMs, changes),
  }
  const hasOwn = session !== undefined || device === undefined || !isOnDevice(record)
  return { event, client: readClient(record), ...(hasOwn ? {} : { device }), ...told, changes }
}

/** Milliseconds; `undefined` for what is no time. */
function timeOf(record: SourceObject): number | undefined {
  const sent = fieldOf(record, 'time')
  const timeMs = typeof sent === 'number' ? Math.trunc(sent) : Number.NaN
  return checkOccurTime(timeMs) === undefined ? timeMs : undefined
}

function readFields(record: SourceObject): SourceObject {
  const own = Object.entries(FIELD_NAMES).map(([field, name]) => [name, fieldOf(record, field)])
  const present = own.filter(([, value]) => value !== undefined && value !== null && value !== '')
  const [library, version] = libraryOf(record).split('/')
  const isWeb = fieldOf(record, 'platform') === 'Web'
  return {
    ...(library ? { $lib: library } : {}),
    ...(version ? { $lib_version: version } : {}),
    ...Object.fromEntries(isWeb ? present.map(renameOnWeb) : present),
    ...readRevenue(record),
    ...withoutRevenue(objectOf(fieldOf(record, 'event_properties'))),
  }
}

/** On the web, Amplitude calls the browser the system. */
const WEB_NAMES: Readonly<Record<string, string>> = { os_name: '$browser', os_version: '$browserVersion' }

function renameOnWeb([name, value]: readonly unknown[]): readonly [unknown, unknown] {
  return [WEB_NAMES[String(name)] ?? name, value]
}

/** A revenue event names its parts `$price` and the like in its properties; others have them at the event. */
function readRevenue(record: SourceObject): SourceObject {
  const properties = objectOf(fieldOf(record, 'event_properties'))
  const found = Object.entries(REVENUE_NAMES)
    .map(([field, name]): [string, unknown] => [
      name,
      fieldOf(properties, `$${field}`) ?? fieldOf(record, field),
    ])
    .filter(([, value]) => value !== undefined && value !== null)
  const revenue: SourceObject = Object.fromEntries(found)
  const { price, quantity = 1 } = revenue
  if (revenue.revenue !== undefined || typeof price !== 'number' || typeof quantity !== 'number')
    return revenue
  return { ...revenue, revenue: price * quantity }
}

function withoutRevenue(properties: SourceObject): SourceObject {
  const isRevenue = (name: string): boolean =>
    name.startsWith('$') && Object.hasOwn(REVENUE_NAMES, name.slice(1))
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !isRevenue(name)))
}

/** The library of an event, as `name/version`. */
export function libraryOf(record: SourceObject): string {
  return textOf(fieldOf(record, 'library')) ?? ''
}

function isOnDevice(record: SourceObject): boolean {
  const library = libraryOf(record)
  return library !== '' && !isServerLibrary(library)
}

/** The client of the user. `$remote` stands for the address of the request, which browsers and apps mean anyway. */
function readClient(record: SourceObject): ForeignClient {
  const ip = textOf(fieldOf(record, 'ip'))
  const userAgent = textOf(fieldOf(record, 'user_agent'))
  const isDevice = isOnDevice(record)
  const isOfRequest = ip === '$remote' || (ip === undefined && isDevice)
  const isBrowser = isDevice && fieldOf(record, 'platform') === 'Web'
  return {
    place: isOfRequest ? 'request' : { address: ip === undefined ? undefined : canonicalAddress(ip) },
    agent: isBrowser && userAgent === undefined ? 'request' : { userAgent },
  }
}
