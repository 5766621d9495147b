import { create } from '@bufbuild/protobuf'
import { PropertyFilterSchema } from '../../contract/gen/common/v1/filter_pb.js'
import { TimeRangeSchema } from '../../contract/gen/common/v1/time_range_pb.js'
import { FunnelOptionsSchema } from '../../contract/gen/millrace/insights/v1/funnel_options_pb.js'
import { RetentionOptionsSchema } from '../../contract/gen/millrace/insights/v1/retention_options_pb.js'
import { InsightQuerySpecSchema } from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import {
  type QueryRequest,
  QueryRequestSchema,
} from '../../contract/gen/shared/insights/v1/insights_service_pb.js'
import { TopKQuerySchema } from '../../contract/gen/shared/insights/v1/top_k_query_pb.js'
import { UserFlowQuerySchema } from '../../contract/gen/shared/insights/v1/user_flow_query_pb.js'
import { asProjectId } from '../../contract/ids.ts'
import { MessageRules } from '../../contract/message-rules.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { ANY_COHORT } from './cohort-filters.ts'
import { parseInsight } from './insight-rules.ts'
import { refusalOf } from './invalid.ts'

const rules = new MessageRules()

/** Parts of a request whose rules take long to compile; later parts build on earlier ones. */
const SLOW_PARTS = [
  TimeRangeSchema,
  PropertyFilterSchema,
  UserFlowQuerySchema,
  TopKQuerySchema,
  FunnelOptionsSchema,
  RetentionOptionsSchema,
  InsightQuerySpecSchema,
  QueryRequestSchema,
] as const

/** An arbitrary project: the choice does not affect what a request may contain. */
const ANY_PROJECT = asProjectId(0)

/**
 * Compiles the validation rules of messages part by part, yielding before each: compiling all of them at once, on the
 * first check, would block a page for too long.
 */
export async function prepareRules(pause: () => Promise<void>): Promise<void> {
  for (const schema of SLOW_PARTS) {
    await pause()
    rules.check(schema, create(schema))
  }
}

/**
 * The reason why `InsightsService.Query` would reject a request of any caller, found without running it: first by the
 * rules of its message, then by those of its type. Runs in browsers too.
 */
export function findRefusal(request: QueryRequest, projectTimeZone: string): ServiceError | undefined {
  const refusal = refusalOf(rules.check(QueryRequestSchema, request), 'INVALID_INSIGHT_QUERY')
  if (refusal) return refusal
  try {
    parseInsight(request, { projectId: ANY_PROJECT, projectTimeZone, cohorts: ANY_COHORT })
    return undefined
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'invalid_argument') return error
    throw error
  }
}
