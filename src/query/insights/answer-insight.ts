import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import {
  Granularity,
  type InsightQuerySpec,
} from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import {
  type QueryRequest,
  QueryRequestSchema,
  type QueryResponse,
  QueryResponseSchema,
} from '../../contract/gen/shared/insights/v1/insights_service_pb.js'
import { asProjectId } from '../../contract/ids.ts'
import type { ReportCost } from '../../rpc/server-timing.ts'
import { findAnswer, type QueryCaller, type QueryPorts } from '../calls/query-call.ts'
import { parseInsight } from '../spec/parse-insight.ts'
import { prepareInsight } from './query-insight.ts'

/** An insight query from inside the service. */
export interface InsightCall extends QueryCaller {
  readonly request: QueryRequest
  /** Receives the cost of the query. */
  readonly report?: ReportCost
}

const DAY_MS = 24 * 3_600_000

/**
 * An arbitrary range that all but the narrowest granularities allow; the choice does not affect what a spec may
 * contain.
 */
const ANY_RANGE: MessageInitShape<typeof QueryRequestSchema> = {
  timeRange: { from: timestampFromMs(0), to: timestampFromMs(DAY_MS) },
  granularity: Granularity.DAY,
}

/** Answers one insight from the cache or by computing it, exactly as `InsightsService.Query` does. */
export async function answerInsight(ports: QueryPorts, call: InsightCall): Promise<QueryResponse> {
  const { answer, cost, source } = await findAnswer(ports, {
    ...call,
    input: QueryRequestSchema,
    output: QueryResponseSchema,
    answer: async (run, project) => await prepareInsight(call.request, project).answer(run),
  })
  call.report?.(cost, source)
  return answer
}

/** Validates a spec without running it. Throws `invalid_argument` with field paths below `spec`. */
export function checkInsight(spec: InsightQuerySpec): void {
  const request = create(QueryRequestSchema, { ...ANY_RANGE, spec })
  parseInsight(request, { projectId: asProjectId(0), projectTimeZone: 'UTC' })
}
