import type { ProjectId } from '../../contract/ids.ts'
import type { EventProperty } from '../../domain/insights/property.ts'
import { eventPropertyText } from '../property/event-property.ts'
import { bigintCodec, int64Codec, stringArrayCodec, stringCodec } from '../sql/codec.ts'
import { instant, scopedEvents } from '../sql/events-table.ts'
import { scopedTable } from '../sql/scoped-table.ts'
import { type CompiledQuery, column, type Row, select } from '../sql/select.ts'
import { param, type Sql, sql } from '../sql/sql.ts'

/** The names to read: kinds, or properties. */
export interface NamesQuery {
  readonly projectId: ProjectId
  readonly by: 'kind' | 'property'
  /** Only of these kinds; absent means every kind. */
  readonly kinds?: readonly string[]
  /** Only this property, or kinds that carry it; absent means every property, or kinds themselves. */
  readonly property?: string
}

/** The names of a list: those seen last. */
export const NAMES_MAX = 10_000

/** Days of recent events, today included. */
const RECENT_DAYS = 30

const SEEN_COLUMNS = {
  name: column(stringCodec, sql`name`),
  types: column(int64Codec, sql`toInt64(typeBits)`),
  firstMs: column(int64Codec, sql`toUnixTimestamp64Milli(began)`),
  lastMs: column(int64Codec, sql`toUnixTimestamp64Milli(ended)`),
  kindCount: column(int64Codec, sql`toInt64(kindCount)`),
}

/** When a name was seen, and with which types of values. */
export type SeenName = Row<typeof SEEN_COLUMNS>

/** The names, those seen last first. */
export function compileNames(query: NamesQuery): CompiledQuery<SeenName> {
  const seen = sql`SELECT ${nameOf(query)} AS name, groupBitOr(types) AS typeBits, min(first) AS began, max(last) AS ended, uniqExact(kind) AS kindCount ${scopedTable('names', query.projectId)} AND ${isAsked(query)} GROUP BY name`
  return select(SEEN_COLUMNS, sql`FROM (${seen}) ORDER BY ended DESC, name LIMIT ${int(NAMES_MAX)}`)
}

const COUNT_COLUMNS = {
  name: column(stringCodec, sql`name`),
  count: column(bigintCodec, sql`toInt64(total)`),
}

/** A name with its recent events. */
export type CountedName = Row<typeof COUNT_COLUMNS>

/** The recent events of the names, most frequent first. */
export function compileCounts(query: NamesQuery & { readonly nowMs: number }): CompiledQuery<CountedName> {
  const today = sql`toDate(${instant(query.nowMs)})`
  const isRecent = sql`day > ${today} - ${int(RECENT_DAYS)} AND day <= ${today}`
  const days = sql`SELECT ${nameOf(query)} AS name, sum(arrived) + max(found) AS counted ${scopedTable('name_days', query.projectId)} AND ${isRecent} AND ${isAsked(query)} GROUP BY name, day, kind, property`
  return select(
    COUNT_COLUMNS,
    sql`FROM (SELECT name, sum(counted) AS total FROM (${days}) GROUP BY name) ORDER BY total DESC, name LIMIT ${int(NAMES_MAX)}`,
  )
}

/** Values of one name come from this span before its latest event: a bounded scan, however large the project is. */
const SAMPLED_MS = 3_600_000
const SAMPLED_EVENTS_MAX = 1000
const SAMPLES_MAX = 10

/** Some values of a property in the latest events of a kind. */
export function compileSamples(
  property: EventProperty,
  of: { readonly projectId: ProjectId; readonly kind: string; readonly lastMs: number },
): CompiledQuery<{ readonly text: string }> {
  const range = {
    fromMs: Math.max(0, Math.min(of.lastMs, Date.UTC(2105, 11, 31)) - SAMPLED_MS),
    toMs: of.lastMs + 1,
  }
  const events = scopedEvents({ projectId: of.projectId, ...range, kinds: [of.kind] })
  const texts = sql`SELECT ${eventPropertyText(property)} AS text ${events} AND text != '' LIMIT ${int(SAMPLED_EVENTS_MAX)}`
  return select(
    { text: column(stringCodec, sql`substringUTF8(text, 1, 200)`) },
    sql`FROM (${texts}) GROUP BY text ORDER BY count() DESC, text LIMIT ${int(SAMPLES_MAX)}`,
  )
}

function nameOf({ by }: NamesQuery): Sql {
  return by === 'kind' ? sql`toString(kind)` : sql`property`
}

function isAsked({ by, kinds, property }: NamesQuery): Sql {
  const ofKinds = kinds ? sql` AND kind IN ${param(stringArrayCodec, kinds)}` : sql``
  if (property === undefined && by === 'property') return sql`property != ''${ofKinds}`
  return sql`property = ${param(stringCodec, property ?? '')}${ofKinds}`
}

function int(value: number): Sql {
  return sql`${param(int64Codec, value)}`
}
