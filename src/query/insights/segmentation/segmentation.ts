import { float64Codec } from '../../sql/codec.ts'
import { column, type Query, type Row, select } from '../../sql/select.ts'
import type { AnswerQuestion, Frame } from '../insight.ts'
import { metricSql } from '../metric-sql.ts'
import type { Series } from '../series.ts'
import { countedSql, eventsOf } from '../series-sql.ts'
import { answerSessionSegmentation } from '../sessions/sessions.ts'
import type { SessionQuestion } from '../sessions/spec.ts'
import type { SegmentationQuestion } from './spec.ts'

/** One number over the whole range. */
export const answerSegmentation: AnswerQuestion<SegmentationQuestion | SessionQuestion> = async (
  question,
  frame,
  ask,
) => {
  if ('scope' in question) return await answerSessionSegmentation(question, frame, ask)
  const [row] = await ask(compileSegmentation(question, frame))
  return { case: 'segmentation', value: { total: row?.total ?? 0 } }
}

/** Compiles a segmentation query. */
function compileSegmentation(
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
