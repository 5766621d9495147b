import { PropertyValueType } from '../../contract/gen/common/v1/property_pb.js'
import type { ProjectId } from '../../contract/ids.ts'
import { PROMOTED_ENTRIES } from '../../contract/promoted-properties.ts'
import { PROPERTY_TYPE_NAMES, PROPERTY_TYPES } from '../../contract/property-types.ts'
import { currentTraits, TRAIT_RECEIVED } from '../property/trait.ts'
import { bigintCodec, int64ArrayCodec, int64Codec, stringArrayCodec, stringCodec } from '../sql/codec.ts'
import { ALL_TIME, instant, scopedEvents } from '../sql/events-table.ts'
import { type CompiledQuery, column, type Row, select } from '../sql/select.ts'
import { join, numbered, param, Sql, sql } from '../sql/sql.ts'

const NAME_COLUMNS = {
  name: column(stringCodec, sql`toString(name)`),
  count: column(bigintCodec, sql`toInt64(total)`),
  lastMs: column(int64Codec, sql`lastMs`),
}

const KIND_COLUMNS = {
  ...NAME_COLUMNS,
  firstMs: column(int64Codec, sql`firstMs`),
  recentCount: column(bigintCodec, sql`toInt64(recent)`),
}

const KEY_COLUMNS = { ...NAME_COLUMNS, valueType: column(int64Codec, sql`toInt64(valueType)`) }

/** An event kind, its numbers of events, and when it was first and last seen. */
export type KindRow = Row<typeof KIND_COLUMNS>

/** A property key, its number of occurrences, when it was last seen, and its most frequent type. */
export type KeyRow = Row<typeof KEY_COLUMNS>

/** The keys to list. */
export interface KeysQuery {
  readonly projectId: ProjectId
  /** Types to include; empty means every type. */
  readonly allowedTypes: readonly PropertyValueType[]
}

/** The kinds to list. */
export interface KindsQuery {
  readonly projectId: ProjectId
  /** The start of the recent events, counted apart; undefined for none. */
  readonly recentSinceMs: number | undefined
}

/** The kinds of a project, most frequent first, at most 1000. */
export function compileKinds({ projectId, recentSinceMs }: KindsQuery): CompiledQuery<KindRow> {
  const recent = recentSinceMs === undefined ? sql`0` : sql`countIf(time >= ${instant(recentSinceMs)})`
  const kinds = sql`SELECT kind AS name, count() AS total, ${recent} AS recent, toUnixTimestamp64Milli(min(time)) AS firstMs, toUnixTimestamp64Milli(max(time)) AS lastMs ${scopedEvents({ projectId, ...ALL_TIME })} GROUP BY name`
  return select(KIND_COLUMNS, sql`FROM (${kinds}) ORDER BY total DESC, name LIMIT 1000`)
}

/** The types of values; the number of each in the filter schema is its index here, from 1. */
const TYPES = PROPERTY_TYPE_NAMES

/** Index that stands for the column of a promoted property, which holds values of every type as text. */
const COLUMN = 0

const PROMOTED_NAMES = param(
  stringArrayCodec,
  PROMOTED_ENTRIES.map(([property]) => property),
)

/**
 * The auto and custom property keys of events, most frequent first, at most 500 each; no kind means every kind.
 * Events are first grouped by their key sets: there are few distinct sets, so the later steps cost next to nothing.
 */
export function compileEventKeys(
  query: KeysQuery & { readonly eventKinds: readonly string[] },
): CompiledQuery<KeyRow> {
  const indexes = [COLUMN, ...TYPES.map((type) => PROPERTY_TYPES[type].valueType)]
  const sums = indexes.map((index) => sql`toInt64(sumIf(events, tupleElement(seen, 2) = ${int(index)}))`)
  const byIndex = sql`SELECT tupleElement(seen, 1) AS name, [${join(sums, sql`, `)}] AS found, toUnixTimestamp64Milli(max(last)) AS lastMs FROM (${shapesOf(query)}) ARRAY JOIN ${seenKeys()} AS seen GROUP BY name`
  // A promoted value that is not text is in its type's map as well, and an empty text is in the text map only.
  const texts = sql`if(found[1] > 0, found[1] - arraySum(arraySlice(found, 3)), 0) + found[2]`
  const counts = sql`arrayConcat([${texts}], arraySlice(found, 3))`
  return listKeys(sql`SELECT name, lastMs, ${counts} AS counts FROM (${byIndex})`, {
    allowedTypes: query.allowedTypes,
    limit: sql`LIMIT 500 BY startsWith(name, '$')`,
  })
}

/** `SELECT promoted, key0, ...`: the distinct key sets of events, and how many events have each. */
function shapesOf(query: KeysQuery & { readonly eventKinds: readonly string[] }): Sql {
  const { projectId, eventKinds } = query
  // One number with a bit per column, which groups faster than an array.
  const bits = PROMOTED_ENTRIES.map(
    ([, name], index) => sql`bitShiftLeft(toUInt64(notEmpty(${columnOf(name)})), ${int(index)})`,
  )
  const ofMaps = TYPES.map(
    (type, index) => sql`${columnOf(PROPERTY_TYPES[type].column)}.keys AS ${numbered('key', index)}`,
  )
  const kinds = eventKinds.length === 0 ? undefined : eventKinds
  const events = scopedEvents({ projectId, ...ALL_TIME, kinds })
  return sql`SELECT ${join(bits, sql` + `)} AS promoted, ${join(ofMaps, sql`, `)}, count() AS events, max(time) AS last ${events} GROUP BY promoted, ${join(keyLists(), sql`, `)}`
}

/** The keys of a key set, each with its column index: an array of pairs. */
function seenKeys(): Sql {
  const ofColumns = sql`arrayMap(bit -> (${PROMOTED_NAMES}[bit + 1], ${int(COLUMN)}), bitPositionsToArray(promoted))`
  const ofMaps = keyLists().map((list, index) => sql`arrayMap(name -> (name, ${int(index + 1)}), ${list})`)
  return sql`arrayConcat(${join([ofColumns, ...ofMaps], sql`, `)})`
}

function keyLists(): readonly Sql[] {
  return TYPES.map((_, index) => numbered('key', index))
}

/** The traits of a project, those of the most profiles first, at most 500. */
export function compileTraitKeys({ projectId, allowedTypes }: KeysQuery): CompiledQuery<KeyRow> {
  const { STRING, INTEGER, FLOAT, BOOLEAN, DATETIME, OTHER } = PropertyValueType
  const number = sql`JSONExtractFloat(value)`
  const type = sql`multiIf(JSONType(value) = 'String', ${int(STRING)}, JSONType(value) = 'Bool', ${int(BOOLEAN)}, JSONType(value) IN ('Int64', 'UInt64'), ${int(INTEGER)}, JSONType(value) != 'Double', ${int(OTHER)}, ${number} = floor(${number}), ${int(INTEGER)}, ${int(FLOAT)})`
  const counts = [STRING, INTEGER, FLOAT, BOOLEAN, DATETIME, OTHER].map(
    (each) => sql`countIf(type = ${int(each)})`,
  )
  const traits = sql`SELECT key, ${TRAIT_RECEIVED} AS received, ${type} AS type ${currentTraits(projectId)}`
  const keys = sql`SELECT key AS name, toInt64(intDiv(max(received), 1000)) AS lastMs, [${join(counts, sql`, `)}] AS counts FROM (${traits}) GROUP BY name`
  return listKeys(keys, { allowedTypes, limit: sql`LIMIT 500` })
}

/** Keys with their value counts by type: the first of the greatest counts is the most frequent type. */
function listKeys(
  keys: Sql,
  { allowedTypes, limit }: Pick<KeysQuery, 'allowedTypes'> & { readonly limit: Sql },
): CompiledQuery<KeyRow> {
  const facts = sql`SELECT name, lastMs, arraySum(counts) AS total, indexOf(counts, arrayMax(counts)) AS valueType FROM (${keys})`
  const isAllowed =
    allowedTypes.length === 0 ? sql`` : sql` WHERE valueType IN ${param(int64ArrayCodec, allowedTypes)}`
  return select(KEY_COLUMNS, sql`FROM (${facts})${isAllowed} ORDER BY total DESC, name ${limit}`)
}

function int(value: number): Sql {
  return sql`${param(int64Codec, value)}`
}

/** A column named in this module's constants, never in a request. */
function columnOf(name: string): Sql {
  return Sql.of([name], [])
}
