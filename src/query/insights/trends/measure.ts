import type { InsightContext } from '../../../domain/insights/insight-context.ts'
import type { RangeMetric, RollingMetric, Series } from '../../../domain/insights/series.ts'
import { runInOrder } from '../../../kernel/run-in-order.ts'
import type { QueryRunner } from '../../sql/select.ts'
import type { RankedBreakdown } from '../breakdown.ts'
import type { BrokenDownRow } from '../series-points.ts'
import { compileBrokenDown, compileTotals } from './compile.ts'
import { countRolling, countRollingBy } from './rolling.ts'

/** Maximum concurrent statements of one query; each uses all cores of the store. */
export const STATEMENTS_MAX = 2

/** The value of a series in each bucket that has one, by the start of the bucket. */
export type BucketValues = ReadonlyMap<number, number>

/** Measures series without a breakdown: one scan for all of them, and one for each of rolling users. */
export async function measureTotals(
  { series, starts }: { readonly series: readonly Series[]; readonly starts: readonly number[] },
  context: InsightContext,
  run: QueryRunner,
): Promise<readonly BucketValues[]> {
  const inRange = series.filter(isOfRange)
  const rows = inRange.length === 0 ? [] : await run(compileTotals({ series: inRange, starts }, context))
  const rolling = new Map<Series, BucketValues>()
  await runInOrder(series.filter(isRolling), STATEMENTS_MAX, async (one) => {
    rolling.set(one, await countRolling({ series: one, starts }, context, run))
  })
  const scanned: readonly Series[] = inRange
  return series.map((one) => {
    const index = scanned.indexOf(one)
    return rolling.get(one) ?? new Map(rows.map(({ bucketMs, values }) => [bucketMs, values[index] ?? 0]))
  })
}

/** Measures one series by breakdown value, in one scan. */
export async function measureBrokenDown(
  query: { readonly series: Series; readonly breakdown: RankedBreakdown; readonly starts: readonly number[] },
  context: InsightContext,
  run: QueryRunner,
): Promise<readonly BrokenDownRow[]> {
  const { series } = query
  if (isRolling(series)) return await countRollingBy({ ...query, series, valuesOf: [series] }, context, run)
  return isOfRange(series) ? await run(compileBrokenDown({ ...query, series }, context)) : []
}

/** Whether the metric of a series is rolling users. */
export function isRolling(series: Series): series is Series<RollingMetric> {
  return series.metric.kind === 'rolling_users'
}

function isOfRange(series: Series): series is Series<RangeMetric> {
  return series.metric.kind !== 'rolling_users'
}
