import { NO_SESSION } from '../../../contract/ids.ts'
import { isServerLibrary } from '../../../contract/server-libraries.ts'
import { checkDistinctId, checkOccurTime } from '../../event/event-rules.ts'
import { canonicalAddress } from '../../identity/client-address.ts'
import type { ForeignChange, ForeignClient, ForeignItem } from '../foreign/foreign-batch.ts'
import { sessionIdOf } from '../foreign/foreign-ids.ts'
import { readInstant } from '../foreign/foreign-instant.ts'
import { NAME_PROPERTY, readKind } from '../foreign/foreign-kind.ts'
import { AMPLITUDE_FIELDS, FOREIGN_NAMES } from '../foreign/foreign-names.ts'
import { ForeignProperties, noteSkew } from '../foreign/foreign-properties.ts'
import { fieldOf, objectOf, type SourceObject, textOf } from '../foreign/foreign-value.ts'
import { readIdentification } from './read-identification.ts'

/** The session id of an event outside of sessions. */
const OUTSIDE = '-1'

/** Fields of live events, and the names of the same fields in an export. */
const FIELDS: readonly (readonly [field: string, name: string])[] = [
  ['app_version', 'version_name'],
  ['device_model', 'device_family'],
  ...AMPLITUDE_FIELDS.map((name) => [name, name] as const),
]

/** Properties of revenue: their names at an event, and in the properties of a revenue event. */
const REVENUE_FIELDS: readonly (readonly [name: string, own: string])[] = [
  'revenue',
  'price',
  'quantity',
  'productId',
  'revenueType',
  'currency',
].map((name) => [name, `$${name}`])

const OWN_REVENUE_NAMES: ReadonlySet<string> = new Set(REVENUE_FIELDS.map(([, own]) => own))

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
  const changes: ForeignChange[] = [...person.changes]
  if (name === '$identify') return { identification, changes }
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
  const properties = new ForeignProperties(FOREIGN_NAMES.amplitude)
  addFields(properties, record)
  if (isRenamed) properties.add(NAME_PROPERTY, name)
  const event = {
    eventId,
    kind,
    timeMs,
    distinctId,
    sessionId: session === OUTSIDE ? NO_SESSION : sessionIdOf('amplitude', session, device),
    cookieless: false,
    properties: noteSkew(properties.fit(changes), skewMs, changes),
  }
  const hasOwn = session !== undefined || device === undefined || !isOnDevice(record)
  return { event, client: readClient(record), device: hasOwn ? undefined : device, identification, changes }
}

/** Milliseconds; `undefined` for what is no time. */
function timeOf(record: SourceObject): number | undefined {
  const sent = fieldOf(record, 'time')
  const timeMs = typeof sent === 'number' ? Math.trunc(sent) : Number.NaN
  return checkOccurTime(timeMs) === undefined ? timeMs : undefined
}

function addFields(properties: ForeignProperties, record: SourceObject): void {
  const [library, version] = libraryOf(record).split('/')
  if (library) properties.add('$lib', library)
  if (version) properties.add('$lib_version', version)
  const isWeb = fieldOf(record, 'platform') === 'Web'
  for (const [field, name] of FIELDS) {
    const value = fieldOf(record, field)
    if (value === undefined || value === null || value === '') continue
    properties.add((isWeb ? WEB_NAMES[name] : undefined) ?? name, value)
  }
  const own = objectOf(fieldOf(record, 'event_properties'))
  addRevenue(properties, record, own)
  for (const name in own) {
    if (!OWN_REVENUE_NAMES.has(name)) properties.add(name, own[name])
  }
}

/** On the web, Amplitude calls the browser the system. */
const WEB_NAMES: Readonly<Record<string, string>> = { os_name: '$browser', os_version: '$browserVersion' }

/** A revenue event names its parts `$price` and the like in its properties; others have them at the event. */
function addRevenue(properties: ForeignProperties, record: SourceObject, own: SourceObject): void {
  const sentAs = (name: string, ownName: string): unknown => fieldOf(own, ownName) ?? fieldOf(record, name)
  for (const [name, ownName] of REVENUE_FIELDS) {
    const value = sentAs(name, ownName)
    if (value !== undefined && value !== null) properties.add(name, value)
  }
  if (properties.has('revenue')) return
  const price = sentAs('price', '$price')
  const quantity = sentAs('quantity', '$quantity') ?? 1
  if (typeof price === 'number' && typeof quantity === 'number') properties.add('revenue', price * quantity)
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
