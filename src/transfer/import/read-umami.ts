import { isUuid } from '../../contract/ids.ts'
import type { ForeignChange, ForeignItem } from '../../pipeline/dialects/foreign/foreign-batch.ts'
import { eventIdOf, sessionIdOf } from '../../pipeline/dialects/foreign/foreign-ids.ts'
import { ForeignProperties } from '../../pipeline/dialects/foreign/foreign-properties.ts'
import { readUmamiItem, UMAMI_NAMES } from '../../pipeline/dialects/umami/read-item.ts'
import type { PlainEvent } from '../../pipeline/event/plain-properties.ts'
import { importItem } from './from-dialect.ts'
import { type Imported, RejectedRecord } from './imported.ts'
import type { MapContext } from './map-record.ts'
import type { SourceRecord } from './read-records.ts'
import type { SessionFinder } from './session-finder.ts'
import { readTime } from './to-wire.ts'
import { readDataValue } from './umami-data.ts'

type Row = Readonly<Record<string, string>>

/** Columns without which a row is no event. */
const REQUIRED = ['event_id', 'session_id', 'created_at'] as const

/** Measurements that an event of the speed of a page has. */
const VITALS = ['lcp', 'inp', 'cls', 'fcp', 'ttfb'] as const

const PAGE_VIEW_TYPES: ReadonlySet<string> = new Set(['', '1'])
const NAMED_TYPE = '2'

/**
 * Converts a row of Umami's export: an event of `website_event.csv`, or a value of `event_data.csv` or `session_data.csv`. Throws
 * {@link RejectedRecord}.
 */
export function readUmami({ row = {}, entry }: SourceRecord, context: MapContext): Imported {
  const values = Object.fromEntries(
    Object.entries(row).map(([name, text]) => [name, text === '\\N' ? '' : text]),
  )
  const key = values.data_key ?? values.event_key
  if (key === undefined) return readEvent(values, context)
  if (values.event_id === undefined) return readVisitor(values, { key, sessions: context.sessions })
  if (entry === '')
    throw new RejectedRecord(
      'the data of an event is read from the archive that contains website_event.csv too',
    )
  context.umamiData.add(values.event_id.toLowerCase(), key, readDataValue(values))
  return { event: undefined, identify: undefined, propertiesDropped: 0 }
}

/** A visitor without an id of its own has no traits, as in live events. */
function readVisitor(
  row: Row,
  { key, sessions }: { readonly key: string; readonly sessions: SessionFinder },
): Imported {
  const { distinct_id = '' } = row
  if (distinct_id === '') return { event: undefined, identify: undefined, propertiesDropped: 1 }
  const payload = { id: distinct_id, data: { [key]: readDataValue(row) } }
  return importItem({ id: undefined, ...readUmamiItem({ type: 'identify', payload }, 0) }, sessions)
}

function readEvent(row: Row, { sessions, umamiData }: MapContext): Imported {
  const missing = REQUIRED.find((name) => !row[name])
  if (missing !== undefined) throw new RejectedRecord(`the row has no ${missing}`)
  const { event_id = '', session_id = '', visit_id = '', created_at = '' } = row
  const record = { type: typeOf(row), payload: toPayload(row, umamiData.find(event_id.toLowerCase())) }
  const item: ForeignItem = { id: undefined, ...readUmamiItem(record, 0) }
  if (item.event === undefined) return importItem(item, sessions)
  const changes: ForeignChange[] = [...(item.changes ?? [])]
  const timeMs = readTime(created_at.replace(/([+-]\d{2})$/, '$1:00'))
  const client = new ForeignProperties(UMAMI_NAMES)
  client.addAll(readClient(row))
  const event: PlainEvent = {
    ...item.event,
    eventId: eventIdOf('umami', event_id),
    timeMs,
    sessionId: isUuid(visit_id)
      ? sessionIdOf('umami', visit_id, undefined)
      : sessions.findOfDevice(session_id, timeMs),
    properties: item.event.properties.with(client.fit(changes)),
  }
  const { device: _, ...others } = item
  return importItem({ ...others, event, changes }, sessions)
}

/** The type that the tracker sends. */
function typeOf({ event_type = '', event_name = '', ...row }: Row): 'event' | 'performance' {
  if (event_name !== '') return 'event'
  if (event_type === NAMED_TYPE) throw new RejectedRecord('the event has no event_name')
  if (VITALS.some((name) => row[name])) return 'performance'
  if (!PAGE_VIEW_TYPES.has(event_type)) throw new RejectedRecord(`the event_type ${event_type} is unknown`)
  return 'event'
}

/** What the tracker has sent. A visitor without an id has the one that Umami has derived for a month. */
function toPayload(row: Row, data: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const vitals = VITALS.flatMap((name): [string, number][] => (row[name] ? [[name, Number(row[name])]] : []))
  return {
    id: row.distinct_id || row.session_id,
    hostname: row.hostname,
    url: addressOf(row.url_path, row.url_query),
    referrer: row.referrer_domain
      ? `https://${row.referrer_domain}${addressOf(row.referrer_path, row.referrer_query)}`
      : addressOf(row.referrer_path, row.referrer_query),
    title: row.page_title,
    language: row.language,
    screen: row.screen,
    name: row.event_name,
    tag: row.tag,
    data,
    ...Object.fromEntries(vitals),
  }
}

function addressOf(path = '', query = ''): string {
  return query === '' ? path : `${path}?${query.replace(/^\?/, '')}`
}

/** Umami's names of browsers → those that this service finds in user agents. */
const BROWSERS: ReadonlyMap<string, string> = new Map([
  ['chrome', 'Chrome'],
  ['chromium-webview', 'Chrome WebView'],
  ['crios', 'Chrome'],
  ['edge', 'Edge'],
  ['edge-chromium', 'Edge'],
  ['edge-ios', 'Edge'],
  ['facebook', 'Facebook'],
  ['firefox', 'Firefox'],
  ['fxios', 'Firefox'],
  ['ie', 'IE'],
  ['instagram', 'Instagram'],
  ['ios', 'Safari'],
  ['ios-webview', 'Safari WebView'],
  ['opera', 'Opera'],
  ['opera-mini', 'Opera Mini'],
  ['safari', 'Safari'],
  ['samsung', 'Samsung Internet'],
  ['yandexbrowser', 'Yandex Browser'],
])

const SYSTEMS: ReadonlyMap<string, string> = new Map([
  ['Android OS', 'Android'],
  ['Mac OS', 'macOS'],
])
const WINDOWS = /^Windows (.+)$/

/** Umami tells laptops from other computers by their screen. */
const DEVICE_TYPES: ReadonlyMap<string, string> = new Map([['laptop', 'desktop']])

/** What Umami has found out about the browser, the device and the place; live, the service does. */
function readClient(row: Row): Readonly<Record<string, unknown>> {
  const { browser = '', os = '', device = '' } = row
  const [, windows] = WINDOWS.exec(os) ?? []
  const found = {
    $browser: BROWSERS.get(browser) ?? browser,
    $os: windows === undefined ? (SYSTEMS.get(os) ?? os) : 'Windows',
    $osVersion: windows,
    $deviceType: DEVICE_TYPES.get(device) ?? device,
    $country: row.country,
    $region: row.region ?? row.subdivision1,
    $city: row.city,
  }
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined && value !== ''))
}
