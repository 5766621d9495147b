import { PROMOTED_ENTRIES } from '../../contract/promoted-properties.ts'
import { PROPERTY_TYPE_NAMES, PROPERTY_TYPES, type PropertyType } from '../../contract/property-types.ts'
import { MAPS, mapOf, VALUE_TYPES } from '../../query/property/value-types.ts'
import { join, Sql, sql } from '../../query/sql/sql.ts'

/**
 * An event of `events` as the text that `BatchCreate` takes back, made by ClickHouse: writing text there is faster than
 * moving values here, and nothing but bytes passes through this process. Speed: `export/jsonl-5m`.
 */

/** Settings without which the statements mean something else. */
export const TEXT_SETTINGS = {
  output_format_json_escape_forward_slashes: 0,
  // Fields of the answer have names of columns.
  prefer_column_name_to_alias: 1,
} as const

const OCCUR_TIME = sql`concat(replaceOne(toString(time), ' ', 'T'), 'Z')`

/** Types whose values are in their map only, or beside their text in a promoted column. */
const TYPED = PROPERTY_TYPE_NAMES.filter((type) => type !== 'string')

/** Names for the rest of the statement: an array of `"key":{...}` texts, and the keys of values that are no text. */
const NAMED = sql`WITH arrayConcat(${join(PROPERTY_TYPE_NAMES.map(entryTexts), sql`, `)}) AS entries, arrayConcat(${join(
  TYPED.map((type) => sql`mapKeys(${mapOf(type)})`),
  sql`, `,
)}) AS typed_keys`

function entryTexts(type: PropertyType): Sql {
  const map = mapOf(type)
  const opening = Sql.of([`':{"${PROPERTY_TYPES[type].jsonField}":'`], [])
  return sql`arrayMap((k, v) -> concat(toJSONString(k), ${opening}, ${VALUE_TYPES[type].protoJson(sql`v`)}, '}'), mapKeys(${map}), mapValues(${map}))`
}

/** A promoted property of another type is in the map of its type too: the column is then only how questions see it. */
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

/** What the identity of a cookieless event was is the service's own affair: it derives it, and takes none. */
const IDENTITY_JSON = sql`if(cookieless, '"cookieless":true', concat('"distinctId":', toJSONString(distinct_id), ',"sessionId":"', toString(session_id), '"'))`

const EVENT_JSON = sql`concat('{"eventId":"', toString(event_id), '","kind":"', kind, '","occurTime":"', ${OCCUR_TIME}, '",', ${IDENTITY_JSON}, ',"autoProperties":', ${AUTO_JSON}, ',"customProperties":', ${CUSTOM_JSON}, '}')`

/** A select list with the whole event as one JSON text. */
export const SELECT_JSON = sql`${NAMED} SELECT ${EVENT_JSON} AS event`

/** A select list with a column for each field; the maps of properties as JSON text. */
export const SELECT_FIELDS = sql`${NAMED} SELECT toString(event_id) AS eventId, kind, ${OCCUR_TIME} AS occurTime, if(cookieless, '', distinct_id) AS distinctId, if(cookieless, '', toString(session_id)) AS sessionId, toString(cookieless) AS cookieless, ${AUTO_JSON} AS autoProperties, ${CUSTOM_JSON} AS customProperties`

/** A select list of typed columns, for tools that read columns: each promoted property has its own, the rest maps. */
export const SELECT_COLUMNS = sql`SELECT toString(event_id) AS event_id, toString(kind) AS kind, time AS occur_time, distinct_id, toString(session_id) AS session_id, cookieless, ${join(
  PROMOTED_ENTRIES.map(([, column]) => Sql.of([`toString(${column}) AS ${column}`], [])),
  sql`, `,
)}, ${join(MAPS, sql`, `)}`

/**
 * The order of an export. No hash takes part in it, since that of a user differs from project to project: the same events are
 * the same bytes in each.
 */
export const IN_EXPORT_ORDER = sql`ORDER BY project, toDate(time), kind, distinct_id, time, event_id`
