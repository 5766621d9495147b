import type { InsightQuerySpec } from '../../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { float64Codec } from '../../sql/codec.ts'
import { column, type Query, type Row, select } from '../../sql/select.ts'
import type { Frame, Insight } from '../insight.ts'
import { metricSql } from '../metric.ts'
import { countedSql, eventsOf, parseSeries, type Series } from '../series.ts'
import { answerSessionSegmentation } from '../sessions/sessions.ts'
import { parseSessionSegmentation, type SessionQuestion } from '../sessions/spec.ts'

/** One number: the metric of the first series over the events of all of them. */
export interface SegmentationQuestion {
  readonly series: readonly Series[]
}

/** One number over the whole range. */
export const segmentation: Insight<SegmentationQuestion | SessionQuestion> = {
  parse: (spec: InsightQuerySpec) =>
    spec.session ? parseSessionSegmentation(spec, spec.session) : { series: parseSeries(spec.events) },
  answer: async (question, frame, ask) => {
    if ('scope' in question) return await answerSessionSegmentation(question, frame, ask)
    const [row] = await ask(compileSegmentation(question, frame))
    return { case: 'segmentation', value: { total: row?.total ?? 0 } }
  },
}

/** Compiles a segmentation question. */
export function compileSegmentation(
  { series }: SegmentationQuestion,
  frame: Frame,
): Query<Row<{ total: ReturnType<typeof totalColumn> }>> {
  const metric = series[0]?.metric ?? { kind: 'total' }
  return select({ total: totalColumn(metric, frame) }, eventsOf(series, frame))
}

function totalColumn(metric: Series['metric'], frame: Frame) {
  const { components, value } = metricSql(metric)
  const counted = countedSql(metric, frame)
  return column(float64Codec, value(...components.map(({ direct }) => direct(counted))))
}
