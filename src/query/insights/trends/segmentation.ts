import { evaluate } from '../../../domain/insights/formula.ts'
import type { InsightContext } from '../../../domain/insights/insight-context.ts'
import type { RangeMetric } from '../../../domain/insights/series.ts'
import type { SessionQuery } from '../../../domain/insights/sessions.ts'
import type { SegmentationQuery } from '../../../domain/insights/trends.ts'
import { float64ArrayCodec, float64Codec } from '../../sql/codec.ts'
import { type CompiledQuery, column, select } from '../../sql/select.ts'
import { allOf, join, type Sql, sql } from '../../sql/sql.ts'
import { dayCellsOf } from '../day-cells-of.ts'
import { countedSql, eventsOf, matchSql } from '../event-sql.ts'
import type { AnswerInsight } from '../insight.ts'
import { type MetricSql, mergeStates, metricSql } from '../metric-sql.ts'
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
  const whole = metricOver(first?.metric ?? { kind: 'total' }, context, [])
  const each =
    series.length === 1 ? [] : series.map((one) => metricOver(one.metric, context, [matchSql(one, context)]))
  const over = ([total, ...values]: readonly Sql[], rows: Sql) =>
    select(
      {
        total: column(float64Codec, sql`${total ?? sql`0.`} AS total`),
        values: column(float64ArrayCodec, sql`[${values.length === 0 ? sql`total` : join(values, sql`, `)}]`),
      },
      rows,
    )
  const ofCells = mergeStates([whole, ...each], 'many')
  return {
    ...over([whole, ...each].map(directly), eventsOf(series, context)),
    days: dayCellsOf(
      {
        matches: series,
        components: ofCells.components,
        over: (cells) => over(ofCells.values, sql`FROM (${cells})`).statement,
      },
      context,
    ),
  }
}

type ConditionedMetric = MetricSql & { readonly condition: Sql | undefined }

function metricOver(
  metric: RangeMetric,
  context: InsightContext,
  conditions: readonly Sql[],
): ConditionedMetric {
  const counted = countedSql(metric, context)
  const all = counted ? [...conditions, counted] : conditions
  return { ...metricSql(metric), condition: all.length === 0 ? undefined : allOf(all) }
}

function directly({ components, value, condition }: ConditionedMetric): Sql {
  return value(...components.map(({ direct }) => direct(condition)))
}
