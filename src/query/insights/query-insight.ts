import type { MessageInitShape } from '@bufbuild/protobuf'
import { InsightType } from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import type {
  QueryRequest,
  QueryResponseSchema,
} from '../../contract/gen/shared/insights/v1/insights_service_pb.js'
import type { ProjectId } from '../../contract/ids.ts'
import { ServiceError } from '../../contract/service-error.ts'
import type { RunQuery } from '../sql/run.ts'
import { invalid } from './time-range.ts'
import { compileTrends } from './trends/compile.ts'
import { shapeTrends } from './trends/shape.ts'
import { parseTrends } from './trends/spec.ts'

/** One call of `InsightsService.Query`. */
export interface InsightCall {
  readonly request: QueryRequest
  readonly projectId: ProjectId
  readonly run: RunQuery
  readonly signal: AbortSignal
}

/** `InsightsService.Query`: parse, compile, run, shape. Throws `ServiceError`. */
export async function queryInsight(call: InsightCall): Promise<MessageInitShape<typeof QueryResponseSchema>> {
  const spec = call.request.spec
  if (!spec || spec.insightType === InsightType.UNSPECIFIED) {
    throw invalid('spec.insightType', 'is required', 'INVALID_INSIGHT_QUERY')
  }
  if (spec.insightType !== InsightType.TRENDS) throw notYet(`insight type ${InsightType[spec.insightType]}`)
  const question = parseTrends(call.request)
  const counts = await call.run(compileTrends(question, call.projectId), call.signal)
  return { result: { case: 'trends', value: shapeTrends(question, counts) } }
}

/** What this release cannot answer yet says so, rather than answering something else. */
export function notYet(what: string): ServiceError {
  return new ServiceError({
    code: 'unimplemented',
    reason: 'NOT_IMPLEMENTED',
    message: `${what} is not available yet`,
  })
}
