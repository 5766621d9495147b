import type { InsightContext } from '../../../domain/insights/insight-context.ts'
import type { Series } from '../../../domain/insights/series.ts'
import type { SessionQuery } from '../../../domain/insights/sessions.ts'
import type { SegmentationQuery } from '../../../domain/insights/trends.ts'
import { float64Codec } from '../../sql/codec.ts'
import { type CompiledQuery, column, type Row, select } from '../../sql/select.ts'
import { countedSql, eventsOf } from '../event-sql.ts'
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
  return { case: 'segmentation', value: { total: row?.total ?? 0 } }
}

/** Compiles a segmentation query. */
function compileSegmentation(
  { series }: SegmentationQuery,
  context: InsightContext,
): CompiledQuery<Row<{ total: ReturnType<typeof totalColumn> }>> {
  const metric = series[0]?.metric ?? { kind: 'total' }
  return select({ total: totalColumn(metric, context) }, eventsOf(series, context))
}

function totalColumn(metric: Series['metric'], context: InsightContext) {
  const { components, value } = metricSql(metric)
  const counted = countedSql(metric, context)
  return column(float64Codec, value(...components.map(({ direct }) => direct(counted))))
}
