import type { MessageInitShape } from '@bufbuild/protobuf'
import type { TrendSeriesSchema } from '../../../contract/gen/shared/insights/v1/query_result_pb.js'
import type { Ask, Frame, InsightResult } from '../insight.ts'
import { fillPoints, shapeBrokenDown } from '../trends/shape.ts'
import { compileSessionBreakdown, compileSessionBuckets, compileSessionTotal } from './compile.ts'
import { findReach, type Reach } from './reach.ts'
import type { SessionQuestion, SessionTrendsQuestion } from './spec.ts'

type SeriesInit = MessageInitShape<typeof TrendSeriesSchema>

/** Name of a session series whose scope names no kind. */
const ANY_KIND = '$session'

/** Answers a trends question about sessions. */
export async function answerSessionTrends(
  question: SessionTrendsQuestion,
  frame: Frame,
  ask: Ask,
): Promise<InsightResult> {
  const reach = await findReach(question, frame, ask)
  const series = await listSeries(question, frame, { reach, ask })
  return { case: 'trends', value: { series } }
}

/** Answers a segmentation question about sessions. */
export async function answerSessionSegmentation(
  question: SessionQuestion,
  frame: Frame,
  ask: Ask,
): Promise<InsightResult> {
  const reach = await findReach(question, frame, ask)
  const [row] = await ask(compileSessionTotal(question, frame, reach))
  return { case: 'segmentation', value: { total: row?.total ?? 0 } }
}

async function listSeries(
  question: SessionTrendsQuestion,
  frame: Frame,
  { reach, ask }: { readonly reach: Reach; readonly ask: Ask },
): Promise<SeriesInit[]> {
  const { breakdown, starts } = question
  const kind = question.scope.kind || ANY_KIND
  if (!breakdown) {
    const rows = await ask(compileSessionBuckets(question, frame, reach))
    const values = new Map(rows.map(({ bucketMs, value }) => [bucketMs, value]))
    return [{ eventKind: kind, points: fillPoints(starts, values) }]
  }
  const rows = await ask(compileSessionBreakdown({ ...question, breakdown }, frame, reach))
  return shapeBrokenDown({ kind, breakdown, starts }, rows)
}
