import type { MessageInitShape } from '@bufbuild/protobuf'
import type { TrendSeriesSchema } from '../../../contract/gen/shared/insights/v1/query_result_pb.js'
import type { InsightContext } from '../../../domain/insights/insight-context.ts'
import type { SessionQuery, SessionTrendsQuery } from '../../../domain/insights/sessions.ts'
import type { QueryRunner } from '../../sql/select.ts'
import type { InsightResult } from '../insight.ts'
import { fillPoints, shapeBrokenDown } from '../series-points.ts'
import { compileSessionBreakdown, compileSessionBuckets, compileSessionTotal } from './compile.ts'
import { findReach, type Reach, reachedBy } from './reach.ts'

type SeriesInit = MessageInitShape<typeof TrendSeriesSchema>

/** Name of a session series whose scope names no kind. */
const ANY_KIND = '$session'

/** Answers a trends query over sessions. */
export async function answerSessionTrends(
  query: SessionTrendsQuery,
  context: InsightContext,
  run: QueryRunner,
): Promise<InsightResult> {
  const reach = await findReach(reachedBy(query), context, run)
  const series = await listSeries(query, context, { reach, run })
  return { case: 'trends', value: { series } }
}

/** Answers a segmentation query over sessions. */
export async function answerSessionSegmentation(
  query: SessionQuery,
  context: InsightContext,
  run: QueryRunner,
): Promise<InsightResult> {
  const reach = await findReach(reachedBy(query), context, run)
  const [row] = await run(compileSessionTotal(query, context, reach))
  return { case: 'segmentation', value: { total: row?.total ?? 0 } }
}

async function listSeries(
  query: SessionTrendsQuery,
  context: InsightContext,
  { reach, run }: { readonly reach: Reach; readonly run: QueryRunner },
): Promise<SeriesInit[]> {
  const { breakdown, starts } = query
  const kind = query.scope.kind || ANY_KIND
  if (!breakdown) {
    const rows = await run(compileSessionBuckets(query, context, reach))
    const values = new Map(rows.map(({ bucketMs, value }) => [bucketMs, value]))
    return [{ eventKind: kind, points: fillPoints(starts, values) }]
  }
  const rows = await run(compileSessionBreakdown({ ...query, breakdown }, context, reach))
  return shapeBrokenDown({ kind, breakdown, starts }, rows)
}
