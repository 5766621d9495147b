import { parseRfc3339 } from '../../pipeline/decode/rfc3339.ts'
import { isObject, type SourceObject, textOf } from '../../pipeline/dialects/foreign/foreign-value.ts'
import { uuidV5 } from '../../pipeline/identity/derived-ids.ts'
import { type Imported, RejectedRecord, type WireValue } from './imported.ts'
import type { SessionFinder } from './session-finder.ts'

/**
 * The service derives the user of a cookieless event from the request. Derived from the requests of an import, all of them
 * would be one user.
 */
const COOKIELESS = 'a cookieless event cannot be imported'

/** CSV columns that are fields of an event; every other column is a string property. */
const FIELDS = ['eventId', 'kind', 'occurTime', 'distinctId', 'sessionId'] as const
const MAPS = ['autoProperties', 'customProperties'] as const
const KNOWN: ReadonlySet<string> = new Set([...FIELDS, ...MAPS, 'cookieless'])

/** Reads an event in the format of `BatchCreate` and adds missing ids. Throws {@link RejectedRecord}. */
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
  return { event, identify: undefined, propertiesDropped: 0 }
}

/** Reads a CSV row, by column name. Throws {@link RejectedRecord}. */
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
  return { event: `${known.slice(0, -1)},${maps.join(',')}}`, identify: undefined, propertiesDropped: 0 }
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
    ...(canFind ? { sessionId: sessions.findOfUser(distinctId, timeMs) } : {}),
  }
}

function readMap(text: string | undefined, column: string): string {
  if (text === undefined || text === '') return '{}'
  try {
    if (isObject(JSON.parse(text))) return text.trim()
  } catch {
    // Rejected below.
  }
  throw new RejectedRecord(`${column} is not a JSON object`)
}

/** Adds fields to a JSON object as text, because parsing would lose the precision of large numbers. */
function append(object: string, fields: Readonly<Record<string, unknown>>): string {
  const added = JSON.stringify(fields).slice(1, -1)
  if (added === '') return object
  const start = object.trim().slice(0, -1).trim()
  return `${start}${start === '{' ? '' : ','}${added}}`
}
