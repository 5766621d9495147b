import type { SessionTrendsQuery } from '../../../domain/insights/sessions.ts'
import type { TrendsQuery } from '../../../domain/insights/trends.ts'
import { runInOrder } from '../../../kernel/run-in-order.ts'
import type { AnswerInsight } from '../insight.ts'
import { fillPoints, shapeBrokenDown } from '../series-points.ts'
import { answerSessionTrends } from '../sessions/sessions.ts'
import { type BucketRow, compileBrokenDown, compileTotals } from './compile.ts'

/** Maximum concurrent statements of one query; each uses all cores of the store. */
const STATEMENTS_MAX = 2

/** Values over time: one series per event (or of sessions), or per event and breakdown value. */
export const answerTrends: AnswerInsight<TrendsQuery | SessionTrendsQuery> = async (query, context, run) => {
  if (query.measures === 'sessions') return await answerSessionTrends(query, context, run)
  const { breakdown, starts } = query
  if (!breakdown) {
    const rows = await run(compileTotals(query, context))
    return { case: 'trends', value: { series: shapeTotals(query, rows) } }
  }
  const series = query.series.map((): ReturnType<typeof shapeBrokenDown> => [])
  await runInOrder(query.series.entries(), STATEMENTS_MAX, async ([index, one]) => {
    const rows = await run(compileBrokenDown({ series: one, breakdown, starts }, context))
    series[index] = shapeBrokenDown({ kind: one.kind, breakdown, starts }, rows)
  })
  return { case: 'trends', value: { series: series.flat() } }
}

/** Series in the order of the query. */
function shapeTotals(
  { series, starts }: TrendsQuery,
  rows: readonly BucketRow[],
): ReturnType<typeof shapeBrokenDown> {
  return series.map(({ kind }, index) => {
    const values = new Map(rows.map(({ bucketMs, values }) => [bucketMs, values[index] ?? 0]))
    return { eventKind: kind, points: fillPoints(starts, values) }
  })
}
