import type { MessageInitShape } from '@bufbuild/protobuf'
import type { ImportedMetricsSchema } from '../../contract/gen/millrace/web/v1/imported_days_pb.js'
import type { ProjectId } from '../../contract/ids.ts'
import {
  type Codec,
  int64Codec,
  stringArrayCodec,
  stringCodec,
  uint32Codec,
  uuidCodec,
} from '../sql/codec.ts'
import { scopedTable } from '../sql/scoped-table.ts'
import { type CompiledQuery, column, select } from '../sql/select.ts'
import { anyOf, param, type Sql, sql } from '../sql/sql.ts'
import type { ShownDays } from './shown-days.ts'

/** Sums over rows of imported days; `undefined` for one that some of the rows lack. */
export interface ImportedSums {
  readonly visitors: number
  readonly visits: number | undefined
  readonly pageViews: number | undefined
  readonly bounces: number | undefined
  readonly visitSeconds: number | undefined
  readonly events: number | undefined
}

/** The rows to add up. */
export interface ImportedScope {
  readonly projectId: ProjectId
  /** Not empty. */
  readonly days: readonly ShownDays[]
  /** Number of the dimension; 0 for whole days. */
  readonly dimension: number
  /** A condition on the value; every value when absent. */
  readonly condition?: Sql | undefined
}

/** The page of values to select. */
export interface ImportedPage {
  /** A condition on values; all when absent. */
  readonly found: Sql | undefined
  readonly limit: number
  readonly offset: number
}

/** Beyond it a sum is not exact in JavaScript; no site has so many. */
const SUM_MAX = sql`toFloat64(9007199254740991)`

/** Stands for a sum that is unknown. */
const UNKNOWN = -1

const sumCodec: Codec<number | undefined> = {
  ...int64Codec,
  encode: (value) => value ?? UNKNOWN,
  decode: (cell) => {
    const sum = int64Codec.decode(cell)
    return sum === UNKNOWN ? undefined : sum
  },
}

function sumOf(name: Sql): Sql {
  return sql`toInt64(least(sum(toFloat64(${name})), ${SUM_MAX}))`
}

/** The sum where every row has the number. */
function sumOfAll(name: Sql): Sql {
  return sql`if(count(${name}) = count(), ${sumOf(sql`ifNull(${name}, 0)`)}, -1)`
}

const SUM_COLUMNS = {
  visitors: column(int64Codec, sumOf(sql`visitors`)),
  visits: column(sumCodec, sumOfAll(sql`visits`)),
  pageViews: column(sumCodec, sumOfAll(sql`page_views`)),
  bounces: column(sumCodec, sumOfAll(sql`bounces`)),
  visitSeconds: column(sumCodec, sumOfAll(sql`visit_seconds`)),
  events: column(sumCodec, sumOfAll(sql`events`)),
}

/** Compiles the sums of each day, ascending. */
export function compileDays(scope: ImportedScope): CompiledQuery<ImportedSums & { readonly day: string }> {
  return select(
    { day: column(stringCodec, sql`toString(day)`), ...SUM_COLUMNS },
    sql`${fromDays(scope)} GROUP BY day ORDER BY day`,
  )
}

/** A value with its sums, and the number of all values. */
export type ImportedValue = ImportedSums & { readonly value: string; readonly valueCount: number }

/** Compiles a page of values, by visitors and then by value. */
export function compileValues(
  scope: ImportedScope,
  { found, limit, offset }: ImportedPage,
): CompiledQuery<ImportedValue> {
  const shown = found ? sql` AND ${found}` : sql``
  const page = sql` LIMIT ${param(int64Codec, limit)} OFFSET ${param(int64Codec, offset)}`
  return select(
    {
      value: column(stringCodec, sql`value`),
      valueCount: column(int64Codec, sql`toInt64(count() OVER ())`),
      ...SUM_COLUMNS,
    },
    sql`${fromDays(scope)}${shown} GROUP BY value ORDER BY sum(toFloat64(visitors)) DESC, value${page}`,
  )
}

/** Compiles the sums of the given values. */
export function compileImportedValues(
  scope: ImportedScope,
  values: readonly string[],
): CompiledQuery<ImportedSums & { readonly value: string }> {
  return select(
    { value: column(stringCodec, sql`value`), ...SUM_COLUMNS },
    sql`${fromDays(scope)} AND value IN ${param(stringArrayCodec, values)} GROUP BY value`,
  )
}

function fromDays({ projectId, days, dimension, condition }: ImportedScope): Sql {
  const within = days.map(
    ({ importId, from, to }) =>
      sql`(import_id = ${param(uuidCodec, importId)} AND day BETWEEN ${date(from)} AND ${date(to)})`,
  )
  const matching = condition ? sql` AND ${condition}` : sql``
  return sql`${scopedTable('imported_days', projectId)} AND dimension = ${param(uint32Codec, dimension)} AND ${anyOf(within)}${matching}`
}

function date(day: string): Sql {
  return sql`toDate(${param(stringCodec, day)})`
}

/** Adds up sums; `undefined` of none. */
export function addSums(parts: readonly ImportedSums[]): ImportedSums | undefined {
  const [first, ...others] = parts
  if (!first) return undefined
  return others.reduce(
    (left, right) => ({
      visitors: left.visitors + right.visitors,
      visits: add(left.visits, right.visits),
      pageViews: add(left.pageViews, right.pageViews),
      bounces: add(left.bounces, right.bounces),
      visitSeconds: add(left.visitSeconds, right.visitSeconds),
      events: add(left.events, right.events),
    }),
    first,
  )
}

function add(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a + b
}

/** The measures of sums; one that needs an unknown sum is absent. */
export function toImportedMetrics(sums: ImportedSums): MessageInitShape<typeof ImportedMetricsSchema> {
  const { visitors, visits, pageViews, bounces, visitSeconds, events } = sums
  const viewsPerVisit = ratio(pageViews, visits)
  const bounceRate = ratio(bounces, visits)
  const visitDurationSeconds = ratio(visitSeconds, visits)
  return {
    dailyVisitors: BigInt(visitors),
    ...(visits === undefined ? {} : { visits: BigInt(visits) }),
    ...(pageViews === undefined ? {} : { pageViews: BigInt(pageViews) }),
    ...(viewsPerVisit === undefined ? {} : { viewsPerVisit }),
    ...(bounceRate === undefined ? {} : { bounceRate: 100 * bounceRate }),
    ...(visitDurationSeconds === undefined ? {} : { visitDurationSeconds }),
    ...(events === undefined ? {} : { events: BigInt(events) }),
  }
}

/** 0 of 0 is 0. */
function ratio(part: number | undefined, whole: number | undefined): number | undefined {
  if (part === undefined || whole === undefined) return undefined
  return whole === 0 ? 0 : part / whole
}
