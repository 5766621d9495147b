import { PROMOTED_ENTRIES } from '../../contract/promoted-properties.ts'
import { PROPERTY_TYPE_NAMES, PROPERTY_TYPES, type PropertyType } from '../../contract/property-types.ts'
import { MAPS, mapOf, VALUE_TYPES } from '../../query/property/value-types.ts'
import { join, Sql, sql } from '../../query/sql/sql.ts'

/**
 * Prints a row of `events` in the JSON format of `BatchCreate`. ClickHouse prints it, because that is faster than decoding
 * values in this process, which then only passes bytes on. Speed: `export/jsonl-5m`.
 */

/** Settings that the statements depend on. */
export const TEXT_SETTINGS = {
  output_format_json_escape_forward_slashes: 0,
  // In these statements, some aliases equal column names; without this setting, expressions would read the alias.
  prefer_column_name_to_alias: 1,
} as const

const OCCUR_TIME = sql`concat(replaceOne(toString(time), ' ', 'T'), 'Z')`

/** Types besides strings: a promoted property of one is in the map of its type as well as in its column, as text. */
const TYPED = PROPERTY_TYPE_NAMES.filter((type) => type !== 'string')

/** Common expressions of a statement: an array of `"key":{...}` texts, and the keys of all values besides strings. */
const NAMED = sql`WITH arrayConcat(${join(PROPERTY_TYPE_NAMES.map(entryTexts), sql`, `)}) AS entries, arrayConcat(${join(
  TYPED.map((type) => sql`mapKeys(${mapOf(type)})`),
  sql`, `,
)}) AS typed_keys`

function entryTexts(type: PropertyType): Sql {
  const map = mapOf(type)
  const opening = Sql.of([`':{"${PROPERTY_TYPES[type].jsonField}":'`], [])
  return sql`arrayMap((k, v) -> concat(toJSONString(k), ${opening}, ${VALUE_TYPES[type].protoJson(sql`v`)}, '}'), mapKeys(${map}), mapValues(${map}))`
}

/** A promoted property that is not a string is also in the map of its type; its column exists for queries only. */
const PROMOTED_TEXTS = PROMOTED_ENTRIES.map(
  ([property, column]) =>
    `if(${column} = '' OR has(typed_keys, '${property}'), '', concat(',"${property}":{"stringValue":', toJSONString(toString(${column})), '}'))`,
).join(', ')

const AUTO_JSON = Sql.of(
  [
    `concat('{', substring(concat(${PROMOTED_TEXTS}, arrayStringConcat(arrayMap(x -> concat(',', x), arrayFilter(x -> startsWith(x, '"$'), entries)))), 2), '}')`,
  ],
  [],
)

const CUSTOM_JSON = sql`concat('{', arrayStringConcat(arrayFilter(x -> NOT startsWith(x, '"$'), entries), ','), '}')`

/** The service derives the identity of a cookieless event and accepts none, so exports leave it out. */
const IDENTITY_JSON = sql`if(cookieless, '"cookieless":true', concat('"distinctId":', toJSONString(distinct_id), ',"sessionId":"', toString(session_id), '"'))`

const EVENT_JSON = sql`concat('{"eventId":"', toString(event_id), '","kind":"', kind, '","occurTime":"', ${OCCUR_TIME}, '",', ${IDENTITY_JSON}, ',"autoProperties":', ${AUTO_JSON}, ',"customProperties":', ${CUSTOM_JSON}, '}')`

/** A select list with the whole event as one JSON text. */
export const SELECT_JSON = sql`${NAMED} SELECT ${EVENT_JSON} AS event`

/** A select list with a column for each field; the maps of properties as JSON text. */
export const SELECT_FIELDS = sql`${NAMED} SELECT toString(event_id) AS eventId, kind, ${OCCUR_TIME} AS occurTime, if(cookieless, '', distinct_id) AS distinctId, if(cookieless, '', toString(session_id)) AS sessionId, toString(cookieless) AS cookieless, ${AUTO_JSON} AS autoProperties, ${CUSTOM_JSON} AS customProperties`

/** A select list of typed columns, for analytical tools: one for each promoted property, and maps for all others. */
export const SELECT_COLUMNS = sql`SELECT toString(event_id) AS event_id, toString(kind) AS kind, time AS occur_time, distinct_id, toString(session_id) AS session_id, cookieless, ${join(
  PROMOTED_ENTRIES.map(([, column]) => Sql.of([`toString(${column}) AS ${column}`], [])),
  sql`, `,
)}, ${join(MAPS, sql`, `)}`

/**
 * The order of an export. It contains no user hash, which differs between projects: the same events yield the same bytes in
 * every project.
 */
export const IN_EXPORT_ORDER = sql`ORDER BY project, toDate(time), kind, distinct_id, time, event_id`
