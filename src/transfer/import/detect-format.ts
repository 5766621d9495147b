import { isObject, type SourceObject } from '../../pipeline/dialects/foreign/foreign-value.ts'
import { UnreadableSource } from './unreadable-source.ts'

/** The format of a source's records. */
export type ImportFormat =
  | 'jsonl'
  | 'csv'
  | 'posthog'
  | 'mixpanel'
  | 'amplitude'
  | 'segment'
  | 'umami'
  | 'ga4'

/** Every format, by its name on the command line. */
export const IMPORT_FORMATS: readonly ImportFormat[] = [
  'jsonl',
  'csv',
  'posthog',
  'mixpanel',
  'amplitude',
  'segment',
  'umami',
  'ga4',
]

/** Whether the records of a format are rows of CSV. */
export function hasRows(format: ImportFormat | undefined): boolean {
  return format === 'csv' || format === 'umami'
}

/** Types of the messages in archives of Segment and RudderStack. */
const SEGMENT_TYPES: ReadonlySet<unknown> = new Set(['track', 'page', 'screen', 'identify', 'alias', 'group'])

/** Detects the format from the first line of a source. Throws {@link UnreadableSource}. */
export function detectFormat(start: string): ImportFormat {
  const line = start.split('\n').find((text) => text.trim() !== '') ?? ''
  return guessFormat(line) ?? unknownFormat(line)
}

/** Detects the format from the JSON text of a record. Throws {@link UnreadableSource}. */
export function detectRecord(text: string): ImportFormat {
  return detectObject(parse(text)) ?? unknownFormat(text)
}

/** The format that a line has as far as can be told: the header of a CSV file, or a record. */
export function guessFormat(line: string): ImportFormat | undefined {
  if (line.trimStart().startsWith('{')) return detectObject(parse(line))
  if (isUmamiHeader(line)) return 'umami'
  return /\b(eventId|kind)\b/.test(line) && line.includes(',') ? 'csv' : undefined
}

const SHOWN_CHARACTERS = 80

/** The header of a file of Plausible's export. */
const DAILY_NUMBERS = /^"?date"?,.*\bvisitors\b/

function unknownFormat(record: string): never {
  if (DAILY_NUMBERS.test(record))
    throw new UnreadableSource(
      'these are daily numbers of Plausible; import the archive with millrace import plausible <archive>',
    )
  const start = record.trim().slice(0, SHOWN_CHARACTERS)
  throw new UnreadableSource(
    `the format cannot be detected from the first record, which begins with ${JSON.stringify(start)}; set --format, or leave the file out`,
  )
}

/** Columns that a CSV file must have. */
const COLUMNS = {
  csv: ['kind', 'occurTime', 'distinctId'],
  umami: ['event_id', 'session_id', 'created_at'],
} as const

/** Checks the header of a CSV file. Throws {@link UnreadableSource}. */
export function requireColumns(format: ImportFormat, names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) < index)
  if (twice !== undefined)
    throw new UnreadableSource(`the column ${twice} is in the header twice; rename or remove one of them`)
  const isUmami = format === 'umami'
  if (isUmami && UMAMI_DATA_COLUMNS.some((name) => names.includes(name))) return
  const missing = COLUMNS[isUmami ? 'umami' : 'csv'].find((name) => !names.includes(name))
  if (missing === undefined) return
  throw new UnreadableSource(
    `line 1 has no column ${missing}, which the format ${format} needs; its columns are ${names.join(', ').slice(0, 500)}`,
  )
}

/** Columns of the files of data beside Umami's events. */
const UMAMI_DATA_COLUMNS = ['data_key', 'event_key'] as const

/** The header of `website_event.csv`, or of the data of events or visitors beside it. */
function isUmamiHeader(line: string): boolean {
  const columns = new Set(line.split(',').map((name) => name.trim().replaceAll('"', '')))
  return columns.has('session_id') && (columns.has('url_path') || columns.has('data_key'))
}

function detectObject(record: SourceObject): ImportFormat | undefined {
  if (record.kind !== undefined) return 'jsonl'
  if (record.event_type !== undefined) return 'amplitude'
  if (SEGMENT_TYPES.has(record.type) && record.messageId !== undefined) return 'segment'
  if (record.event_name !== undefined && record.event_timestamp !== undefined) return 'ga4'
  if (record.event === undefined) return undefined
  const isMixpanel =
    isObject(record.properties) && record.properties.time !== undefined && record.timestamp === undefined
  return isMixpanel ? 'mixpanel' : 'posthog'
}

function parse(line: string): SourceObject {
  try {
    const value: unknown = JSON.parse(line)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}
