import { evaluate } from '../../../domain/insights/formula.ts'
import type { InsightContext } from '../../../domain/insights/insight-context.ts'
import type { RangeMetric } from '../../../domain/insights/series.ts'
import type { SessionQuery } from '../../../domain/insights/sessions.ts'
import type { SegmentationQuery } from '../../../domain/insights/trends.ts'
import { float64ArrayCodec, float64Codec } from '../../sql/codec.ts'
import { type CompiledQuery, column, select } from '../../sql/select.ts'
import { allOf, join, type Sql, sql } from '../../sql/sql.ts'
import { countedSql, eventsOf, matchSql } from '../event-sql.ts'
import type { AnswerInsight } from '../insight.ts'
import { metricSql } from '../metric-sql.ts'
import { answerSessionSegmentation } from '../sessions/sessions.ts'

/** One number over the whole range. */
export const answerSegmentation: AnswerInsight<SegmentationQuery | SessionQuery> = async (
  query,
  context,
  run,
) => {
  if (query.measures === 'sessions') return await answerSessionSegmentation(query, context, run)
  const [row] = await run(compileSegmentation(query, context))
  const values = row?.values ?? []
  const computed = query.formulas.map(({ root }) => evaluate(root, (series) => values[series] ?? 0) ?? 0)
  return { case: 'segmentation', value: { total: row?.total ?? 0, values: [...values, ...computed] } }
}

/** Compiles a segmentation query: the first metric over the events of all series, and each metric over its own events. */
function compileSegmentation(
  { series }: SegmentationQuery,
  context: InsightContext,
): CompiledQuery<{ readonly total: number; readonly values: readonly number[] }> {
  const [first] = series
  const total = metricOver(first?.metric ?? { kind: 'total' }, context, [])
  const each = series.map((one) => metricOver(one.metric, context, [matchSql(one, context)]))
  return select(
    {
      total: column(float64Codec, sql`${total} AS total`),
      values: column(float64ArrayCodec, sql`[${series.length === 1 ? sql`total` : join(each, sql`, `)}]`),
    },
    eventsOf(series, context),
  )
}

function metricOver(metric: RangeMetric, context: InsightContext, conditions: readonly Sql[]): Sql {
  const { components, value } = metricSql(metric)
  const counted = countedSql(metric, context)
  const all = counted ? [...conditions, counted] : conditions
  const condition = all.length === 0 ? undefined : allOf(all)
  return value(...components.map(({ direct }) => direct(condition)))
}
