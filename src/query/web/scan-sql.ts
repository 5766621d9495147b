import { bucketOf } from '../insights/bucket-sql.ts'
import { int64Codec, stringCodec } from '../sql/codec.ts'
import { type CompiledQuery, column, select } from '../sql/select.ts'
import { allOf, join, numbered, type Param, param, type Sql, sql } from '../sql/sql.ts'
import type { VisitAttribute } from './dimensions.ts'
import { selectAllVisits, type Visits, valueColumn } from './select-visits.ts'
import { groupPages, isFound, type TablePage, TOTAL_COLUMNS, totalsOf } from './table-sql.ts'
import type { VisitTotals } from './web-metrics.ts'

/** One grouping of the visits that a scan reads: by buckets, or a page of a table by a value of the visit or by its pages. */
export type ScanPart =
  | { readonly by: 'bucket'; readonly starts: readonly number[] }
  | { readonly by: 'value'; readonly attribute: VisitAttribute; readonly page: TablePage }
  | { readonly by: 'pages'; readonly page: TablePage }

/** The part of the row of all visits. */
export const WHOLE = -1

/** The totals of a group of a part, or of all visits. */
export interface ScanRow extends VisitTotals {
  /** Index of the part. */
  readonly part: number
  /** A value, or the start of a bucket in milliseconds. */
  readonly key: string
  /** From 1, by visitors and then by key. */
  readonly rank: number
  /** Groups of the part. */
  readonly rowCount: number
}

/**
 * Compiles several groupings of the same visits, after the totals of all of them. Of a table it selects the first row and those of the
 * page: the first one has the number of rows even where the page is empty.
 */
export function compileScan(visits: Visits, parts: readonly ScanPart[]): CompiledQuery<ScanRow> {
  const tables = parts.flatMap((part, index) => (part.by === 'bucket' ? [] : [{ page: part.page, index }]))
  const found = tables
    .filter(({ page }) => page.search !== '')
    .map(({ page, index }) => sql`(part != ${integer(index)} OR ${isFound(sql`key`, page.search)})`)
  const shown = tables.map(({ page: { offset, limit }, index }) => {
    const isOfPage = sql`rank BETWEEN ${integer(offset + 1)} AND ${integer(offset + limit)}`
    return sql`(part != ${integer(index)} OR rank = 1 OR ${isOfPage})`
  })
  const grouped = join([groupByKeys(visits, parts), ...groupByPages(visits, parts)], sql` UNION ALL `)
  const ranked = sql`SELECT *, row_number() OVER (PARTITION BY part ORDER BY visitor_count DESC, key) AS rank, count() OVER (PARTITION BY part) AS row_count FROM (${grouped}) WHERE ${allOf(found)}`
  return select(
    {
      part: column(int64Codec, sql`toInt64(part)`),
      key: column(stringCodec, sql`key`),
      rank: column(int64Codec, sql`toInt64(rank)`),
      rowCount: column(int64Codec, sql`toInt64(row_count)`),
      ...TOTAL_COLUMNS,
    },
    sql`FROM (${ranked}) WHERE ${allOf(shown)} ORDER BY part, rank`,
  )
}

/** `SELECT part, key, ...`: the totals of all visits, and of those with each key of a part. */
function groupByKeys(visits: Visits, parts: readonly ScanPart[]): Sql {
  const keyed = parts.flatMap((part, index) =>
    part.by === 'pages' ? [] : [{ part, index, name: numbered('key', index) }],
  )
  const columns = keyed.flatMap(({ part, name }) =>
    part.by === 'value' ? [valueColumn(part.attribute, name)] : [],
  )
  const keys = keyed.map(({ part, name }) =>
    // A constant is no key of a group.
    part.by === 'value' ? name : sql`materialize(${bucketOf(sql`began`, part.starts)}) AS ${name}`,
  )
  const selected = [sql`spent`, sql`event_count`, sql`views`, sql`users`, ...keys]
  const rows = sql`SELECT ${join(selected, sql`, `)} FROM (${selectAllVisits(visits, columns)})`
  const part = ofGrouped(
    keyed.map(({ name, index }) => ({ name, value: sql`${integer(index)}` })),
    sql`${integer(WHOLE)}`,
  )
  const key = ofGrouped(
    keyed.map(({ name }) => ({ name, value: sql`toString(${name})` })),
    sql`''`,
  )
  const names = keyed.map(({ name }) => name)
  return sql`SELECT ${part} AS part, ${key} AS key, ${totalsOf(visits, sql`views`)} FROM (${rows})${groupings(names)}`
}

interface KeyValue {
  readonly name: Sql
  readonly value: Sql
}

/** The value of the key that the row is grouped by, or that of all visits. */
function ofGrouped(keys: readonly KeyValue[], ofWhole: Sql): Sql {
  if (keys.length === 0) return ofWhole
  const cases = keys.map(({ name, value }) => sql`grouping(${name}) = 0, ${value}, `)
  return sql`multiIf(${join(cases, sql``)}${ofWhole})`
}

/** Each key by itself, and all visits; those of one key are merged from its groups. */
function groupings(names: readonly Sql[]): Sql {
  if (names.length === 0) return sql``
  if (names.length === 1) return sql` GROUP BY ${join(names, sql``)} WITH ROLLUP`
  const sets = names.map((name) => sql`(${name})`)
  return sql` GROUP BY GROUPING SETS ((), ${join(sets, sql`, `)})`
}

/** The same for the pages of visits in the table, of which each visit has several. */
function groupByPages(visits: Visits, parts: readonly ScanPart[]): readonly Sql[] {
  if (!visits.folded) return []
  return parts.flatMap((part, index) =>
    part.by === 'pages' ? [sql`SELECT ${integer(index)} AS part, value AS key, ${groupPages(visits)}`] : [],
  )
}

function integer(value: number): Param {
  return param(int64Codec, value)
}
