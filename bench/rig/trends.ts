import { create } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { AggregationType } from '../../src/contract/gen/shared/insights/v1/event_query_pb.js'
import { Granularity, InsightType } from '../../src/contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import {
  type QueryRequest,
  QueryRequestSchema,
  type QueryResponse,
  QueryResponseSchema,
} from '../../src/contract/gen/shared/insights/v1/insights_service_pb.js'
import type { ProjectId } from '../../src/contract/ids.ts'
import { prepareInsight } from '../../src/query/insight-types.ts'
import type { RunQuery } from '../../src/query/sql/run.ts'

/** A half-open range in milliseconds since the Unix epoch. */
export interface Range {
  readonly fromMs: number
  readonly toMs: number
}

/** Page views by day, or events of every kind when none is named. */
export function totalByDay(range: Range, kind = ''): QueryRequest {
  return create(QueryRequestSchema, {
    spec: {
      insightType: InsightType.TRENDS,
      events: [{ event: { kind }, aggregation: AggregationType.TOTAL }],
    },
    timeRange: { from: timestampFromMs(range.fromMs), to: timestampFromMs(range.toMs) },
    granularity: Granularity.DAY,
  })
}

/** Runs a trends query with the service's own query code. */
export async function queryTrends(
  run: RunQuery,
  projectId: ProjectId,
  request: QueryRequest,
): Promise<QueryResponse> {
  const signal = AbortSignal.timeout(30_000)
  const insight = prepareInsight(request, { projectId, projectTimeZone: 'UTC' })
  return create(QueryResponseSchema, await insight.answer(async (query) => await run(query, signal)))
}

/** The sum over all points of all series. */
export function sumPoints(response: QueryResponse): number {
  if (response.result.case !== 'trends') throw new TypeError(`expected trends, got ${response.result.case}`)
  const points = response.result.value.series.flatMap((series) => series.points)
  return points.reduce((sum, { value }) => sum + value, 0)
}
