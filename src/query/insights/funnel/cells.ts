import type { FunnelQuery } from '../../../domain/insights/funnel.ts'
import { type FunnelView, hasPlainAttempts } from '../../../domain/insights/funnel-options.ts'
import { int64ArrayCodec } from '../../sql/codec.ts'
import { type Column, column } from '../../sql/select.ts'
import { type Sql, sql } from '../../sql/sql.ts'
import { keyNames } from '../breakdown.ts'
import { integer } from './attempts.ts'
import { mergedTimes, type StepTimes, timesOfCell } from './timing.ts'

// The numbers of a funnel are counts of cells: each user (or session) is in the cell of every step that it reached, numbered
// from 0, and then in those of the view: one for a conversion whose time counts; or those of the buckets in which attempts
// start, and after them those of the buckets in which an attempt starts that converts.

/** Whether cells have times. */
export function isTimed({ timing, rules }: FunnelQuery): boolean {
  return timing === 'with' || rules.view.kind === 'time_to_convert'
}

/** The cell of the users that start in a bucket, or of those who convert. */
export function bucketCell(
  { steps }: FunnelQuery,
  { starts }: Extract<FunnelView, { kind: 'over_time' }>,
  { bucket, of }: { readonly bucket: number; readonly of: 'started' | 'converted' },
): number {
  return steps.length + bucket + (of === 'started' ? 0 : starts.length)
}

/** `SELECT key0, ..., step, users, ...`: the cells of attempts by breakdown values, for one row per attempt. */
export function cellsOf(query: FunnelQuery, attempts: Sql): Sql {
  const { breakdown, rules } = query
  const keys = breakdown ? sql`${keyNames(breakdown)}, ` : sql``
  const times = isTimed(query) ? sql`, ${timesOfCell()}` : sql``
  const convert = sql`groupArrayIf(delta, step = ${integer(query.steps.length)})`
  const spread = rules.view.kind === 'time_to_convert' ? sql`, ${convert} AS spread` : sql``
  const { cells, deltas } = listCells(query)
  const delta = isTimed(query) ? sql`, ${deltas} AS delta` : sql``
  return sql`SELECT ${keys}step, count() AS users${times}${spread} FROM (${attempts}) ARRAY JOIN ${cells} AS step${delta} GROUP BY ${keys}step`
}

/** The cells of one attempt, and the time that it has in each. */
function listCells(query: FunnelQuery): { readonly cells: Sql; readonly deltas: Sql } {
  const { steps, rules } = query
  const { view } = rules
  const isPlain = hasPlainAttempts(rules)
  const done = isPlain ? sql`range(level)` : sql`done`
  const gaps = isPlain ? sql`arrayPushFront(deltas, 0)` : sql`arrayDifference(times)`
  if (view.kind === 'steps') return { cells: done, deltas: gaps }
  const steps64 = sql`arrayMap(each -> toInt64(each), ${done})`
  if (view.kind === 'over_time') {
    const [started, converted] = [integer(steps.length), integer(steps.length + view.starts.length)]
    const cells = sql`arrayConcat(${steps64}, arrayMap(bucket -> bucket + ${started}, started), arrayMap(bucket -> bucket + ${converted}, converted))`
    return { cells, deltas: sql`arrayResize(${gaps}, length(${cells}), 0)` }
  }
  const [from, to] = [
    sql`indexOf(${done}, ${integer(view.from)})`,
    sql`indexOf(${done}, ${integer(view.to)})`,
  ]
  const time = sql`arraySum(arraySlice(${gaps}, ${from} + 1, ${to} - ${from}))`
  const hasBoth = sql`${from} > 0 AND ${to} > 0`
  return {
    cells: sql`arrayConcat(${steps64}, if(${hasBoth}, [${integer(steps.length)}], []))`,
    deltas: sql`arrayConcat(${gaps}, if(${hasBoth}, [${time}], []))`,
  }
}

/** Where the columns of a cell are in a merged group. */
export type CellTimes = Parameters<typeof mergedTimes>[0] & { readonly spread: Sql }

/** The columns of a cell as it is. */
export const TIMES_OF_CELL: CellTimes = {
  users: sql`users`,
  total: sql`total`,
  ordered: sql`ordered`,
  below: sql`below`,
  spread: sql`spread`,
}

/** The merged times of cells, with their spread over bins in the view of the time to convert. */
export function timeColumns(
  { rules: { view } }: FunnelQuery,
  cell: CellTimes,
): { readonly [Name in keyof StepTimes]: Column<StepTimes[Name]> } & {
  readonly spread?: Column<readonly number[]>
} {
  const times = mergedTimes(cell)
  if (view.kind !== 'time_to_convert') return times
  return { ...times, spread: column(int64ArrayCodec, spreadOf(cell.spread, view.bins)) }
}

/** Integers throughout: a time of a bound belongs to the bin that starts there. The rounded cube root is at most 1 too low. */
function spreadOf(times: Sql, bins: number): Sql {
  const size = sql`toInt64(length(groupArrayArray(${times}) AS all_ms)) AS size`
  const root = sql`toInt64(round(cbrt(${size}))) AS root`
  const count = bins === 0 ? sql`least(60, (${root}) + (root * root * root < size))` : sql`${integer(bins)}`
  const bin = sql`least(intDiv((ms - least_ms) * bin_count, greatest(greatest_ms - least_ms, 1)), bin_count - 1)`
  const bounds = sql`[arrayMin(${bins === 0 ? sql`all_ms` : sql`groupArrayArray(${times}) AS all_ms`}) AS least_ms, arrayMax(all_ms) AS greatest_ms]`
  const binned = sql`arrayMap(ms -> ${bin}, all_ms)`
  const counts = sql`arrayReduce('countResample(0, 60, 1)', ${binned} AS bins, bins)`
  return sql`arrayConcat([toInt64(${count}) AS bin_count], ${bounds}, arrayMap(each -> toInt64(each), ${counts}))`
}
