import { isObject, type SourceObject } from '../../pipeline/dialects/foreign/foreign-value.ts'

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

/** The format of a source cannot be detected. */
class UnknownFormat extends Error {
  constructor() {
    super('the format cannot be detected from the first record; set --format')
    this.name = 'UnknownFormat'
  }
}

/** Detects the format from the first line of a source. Throws {@link UnknownFormat}. */
export function detectFormat(start: string): ImportFormat {
  const line = start.split('\n').find((text) => text.trim() !== '') ?? ''
  if (line.trimStart().startsWith('{')) return detectRecord(line)
  if (isUmamiHeader(line)) return 'umami'
  if (/\b(eventId|kind)\b/.test(line) && line.includes(',')) return 'csv'
  throw new UnknownFormat()
}

/** The header of `website_event.csv`, or of the data of events or visitors beside it. */
function isUmamiHeader(line: string): boolean {
  const columns = new Set(line.split(',').map((name) => name.trim().replaceAll('"', '')))
  return columns.has('session_id') && (columns.has('url_path') || columns.has('data_key'))
}

/** Detects the format from the JSON text of a record. Throws {@link UnknownFormat}. */
export function detectRecord(text: string): ImportFormat {
  const format = detectObject(parse(text))
  if (format === undefined) throw new UnknownFormat()
  return format
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
