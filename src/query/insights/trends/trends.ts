import type { InRange } from '../../../domain/insights/insight-rules.ts'
import type { SessionTrendsQuery } from '../../../domain/insights/sessions.ts'
import type { TrendsQuery } from '../../../domain/insights/trends.ts'
import type { QueryRunner } from '../../sql/select.ts'
import type { AnswerInsight, CompareInsight } from '../insight.ts'
import type { SeriesLine } from '../series-points.ts'
import { listSessionSeries } from '../sessions/sessions.ts'
import { listLines } from './lines.ts'

type AnyTrends = TrendsQuery | SessionTrendsQuery

/** Values over time: one series per event and formula (or of sessions), or per breakdown value of each. */
export const answerTrends: AnswerInsight<AnyTrends> = async (query, context, run) => {
  const lines = await linesOf({ query, context }, run)
  return { case: 'trends', value: { series: lines.flatMap(({ series }) => series) } }
}

/** The same, followed by the series of another range with the same breakdown values. */
export const compareTrends: CompareInsight<AnyTrends> = async (main, other, run) => {
  const lines = await linesOf(main, run)
  const compared = await linesOf(other, run, lines)
  const earlier = compared.flatMap(({ series }) => series)
  const series = [
    ...lines.flatMap((line) => line.series),
    ...earlier.map((one) => ({ ...one, isComparison: true })),
  ]
  return { case: 'trends', value: { series } }
}

/** The series of each event and formula, or of sessions; with the breakdown values of other lines, where there are some. */
async function linesOf(
  { query, context }: InRange<AnyTrends>,
  run: QueryRunner,
  others: readonly SeriesLine[] = [],
): Promise<readonly SeriesLine[]> {
  if (query.measures === 'events') return await listLines(query, context, { run, others })
  return [await listSessionSeries(query, context, { run, given: others[0]?.values })]
}
