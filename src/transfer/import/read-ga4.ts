import {
  fieldOf,
  isObject,
  objectOf,
  type SourceObject,
  textOf,
} from '../../pipeline/dialects/foreign/foreign-value.ts'
import { readGa4Event } from '../../pipeline/dialects/ga4/read-event.ts'
import { readGa4Person } from '../../pipeline/dialects/ga4/read-request.ts'
import { importItem } from './from-dialect.ts'
import { type Imported, RejectedRecord } from './imported.ts'
import type { SessionFinder } from './session-finder.ts'

/** Fields that tell apart the events of a user at one time. Exports from before 2024 lack some of them. */
const PLACE = ['event_bundle_sequence_id', 'batch_page_id', 'batch_ordering_id', 'batch_event_index'] as const

/** Converts a row of GA4's export to BigQuery, as JSON. Throws {@link RejectedRecord}. */
export function readGa4(record: SourceObject, sessions: SessionFinder): Imported {
  const micros = textOf(record.event_timestamp)
  if (micros === undefined) throw new RejectedRecord('the event has no valid time')
  const params = readParameters(record.event_params)
  const root = toRequest(record)
  const event = {
    name: record.event_name,
    timestamp_micros: micros,
    params: { ...params, ...readItems(record.items), ...readApp(record) },
  }
  const index = PLACE.map((name) => textOf(record[name]) ?? '').join('/')
  const item = readGa4Event(event, { root, index, receivedMs: 0 })
  const { identification, changes = [] } = readGa4Person(root) ?? {}
  const told = identification && { identification }
  return importItem(
    { id: undefined, ...item, ...told, changes: [...changes, ...(item.changes ?? [])] },
    sessions,
  )
}

/** The request of the Measurement Protocol that says the same of the user. */
function toRequest(record: SourceObject): SourceObject {
  const device = objectOf(record.device)
  const web = objectOf(device.web_info)
  const geo = objectOf(record.geo)
  return {
    client_id: record.user_pseudo_id,
    user_id: record.user_id,
    user_properties: readParameters(record.user_properties),
    device: present({
      category: device.category,
      operating_system: device.operating_system,
      operating_system_version: device.operating_system_version,
      model: device.mobile_marketing_name ?? device.mobile_model_name,
      browser: web.browser ?? device.browser,
      browser_version: web.browser_version ?? device.browser_version,
      language: device.language,
    }),
    user_location: present({ country_id: countryOf(geo.country), region_id: geo.region, city: geo.city }),
  }
}

/** A repeated record of keys and values, of which one column has the value. Integers of 64 bits are texts in JSON. */
function readParameters(list: unknown): SourceObject {
  if (!Array.isArray(list)) return {}
  const entries = list.filter(isObject).flatMap(({ key, value }): [string, unknown][] => {
    const found = readParameter(objectOf(value))
    return typeof key === 'string' && found !== undefined ? [[key, found]] : []
  })
  return Object.fromEntries(entries)
}

function readParameter(value: SourceObject): unknown {
  const text = fieldOf(value, 'string_value')
  if (text !== undefined && text !== null) return text
  const integer = fieldOf(value, 'int_value')
  if (integer !== undefined && integer !== null)
    return Number.isSafeInteger(Number(integer)) ? Number(integer) : integer
  const float = fieldOf(value, 'double_value') ?? fieldOf(value, 'float_value')
  return float === undefined || float === null ? undefined : Number(float)
}

/** The products of a purchase, without the columns that are empty. */
function readItems(items: unknown): SourceObject {
  if (!Array.isArray(items) || items.length === 0) return {}
  return { items: items.filter(isObject).map(present) }
}

function readApp(record: SourceObject): SourceObject {
  return present({
    $appVersion: objectOf(record.app_info).version,
    $platform: record.platform,
    $hostname: objectOf(objectOf(record.device).web_info).hostname,
  })
}

/** Google's placeholders of a value that it does not know. */
const UNKNOWN: ReadonlySet<unknown> = new Set([undefined, null, '', '(not set)'])

function present(source: SourceObject): SourceObject {
  return Object.fromEntries(Object.entries(source).filter(([, value]) => !UNKNOWN.has(value)))
}

const COUNTRY_NAMES = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']

/** The codes of countries by their English names. */
const COUNTRIES: ReadonlyMap<string, string> = new Map(
  LETTERS.flatMap((first) =>
    LETTERS.flatMap((second): [string, string][] => {
      const name = COUNTRY_NAMES.of(first + second)
      return name === undefined ? [] : [[name, first + second]]
    }),
  ),
)

/** The code of a country, or its name where Google spells it differently. */
function countryOf(name: unknown): unknown {
  return COUNTRIES.get(String(name)) ?? name
}
