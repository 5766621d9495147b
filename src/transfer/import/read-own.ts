import { parseRfc3339 } from '../../pipeline/decode/rfc3339.ts'
import { uuidV5 } from '../../pipeline/identity/derived-ids.ts'
import {
  type Imported,
  isObject,
  RejectedRecord,
  type SourceObject,
  textOf,
  type WireValue,
} from './imported.ts'
import type { SessionFinder } from './session-finder.ts'

/**
 * A cookieless event says nothing of its visitor; the service that took it derived that from the request. Derived again from
 * the request of an import, all visitors would be one.
 */
const COOKIELESS = 'a cookieless event cannot be imported'

/** Columns of a CSV file that are fields of an event; every other column is a text property of its name. */
const FIELDS = ['eventId', 'kind', 'occurTime', 'distinctId', 'sessionId'] as const
const MAPS = ['autoProperties', 'customProperties'] as const
const KNOWN: ReadonlySet<string> = new Set([...FIELDS, ...MAPS, 'cookieless'])

/** Reads an event in the form of `BatchCreate`; ids that are missing are made. Throws {@link RejectedRecord}. */
export function readOwnJson(record: SourceObject, text: string, sessions: SessionFinder): Imported {
  if (record.cookieless === true) throw new RejectedRecord(COOKIELESS)
  const event = append(
    text,
    missingIds(
      {
        eventId: record.eventId ?? record.event_id,
        sessionId: record.sessionId ?? record.session_id,
        occurTime: record.occurTime ?? record.occur_time,
        distinctId: record.distinctId ?? record.distinct_id,
      },
      { text, sessions },
    ),
  )
  return { event, identify: undefined, leftOut: 0 }
}

/** Reads a row of a CSV file whose header names the columns. Throws {@link RejectedRecord}. */
export function readOwnCsv(row: Readonly<Record<string, string>>, sessions: SessionFinder): Imported {
  if (row.cookieless === 'true') throw new RejectedRecord(COOKIELESS)
  const fields = Object.fromEntries(FIELDS.map((name) => [name, row[name] || undefined]))
  const columns = Object.entries(row).filter(([name, text]) => !KNOWN.has(name) && text !== '')
  const maps = MAPS.map((name) => {
    const values = columns
      .filter(([column]) => column.startsWith('$') === (name === 'autoProperties'))
      .map(([column, stringValue]): [string, WireValue] => [column, { stringValue }])
    return `"${name}":${append(readMap(row[name], name), Object.fromEntries(values))}`
  })
  const known = JSON.stringify({ ...fields, ...missingIds(fields, { text: JSON.stringify(row), sessions }) })
  return { event: `${known.slice(0, -1)},${maps.join(',')}}`, identify: undefined, leftOut: 0 }
}

function missingIds(
  fields: SourceObject,
  { text, sessions }: { readonly text: string; readonly sessions: SessionFinder },
): Record<string, unknown> {
  const timeMs = parseRfc3339(String(fields.occurTime))
  const distinctId = textOf(fields.distinctId)
  const canFind = timeMs !== undefined && distinctId !== undefined && !fields.sessionId
  return {
    ...(fields.eventId ? {} : { eventId: uuidV5(`import\0own\0${text}`) }),
    ...(canFind ? { sessionId: sessions.find({ distinctId, timeMs }) } : {}),
  }
}

function readMap(text: string | undefined, column: string): string {
  if (text === undefined || text === '') return '{}'
  try {
    if (isObject(JSON.parse(text))) return text.trim()
  } catch {
    // Told below.
  }
  throw new RejectedRecord(`${column} is no JSON object`)
}

/** Adds fields to the text of a JSON object, whose own text stays as it is: a number may be more exact than JavaScript. */
function append(object: string, fields: Readonly<Record<string, unknown>>): string {
  const added = JSON.stringify(fields).slice(1, -1)
  if (added === '') return object
  const start = object.trim().slice(0, -1).trim()
  return `${start}${start === '{' ? '' : ','}${added}}`
}
