import { create } from '@bufbuild/protobuf'
import { PropertyFilterSchema } from '../../contract/gen/common/v1/filter_pb.js'
import { TimeRangeSchema } from '../../contract/gen/common/v1/time_range_pb.js'
import { InsightQuerySpecSchema } from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import {
  type QueryRequest,
  QueryRequestSchema,
} from '../../contract/gen/shared/insights/v1/insights_service_pb.js'
import { TopKQuerySchema } from '../../contract/gen/shared/insights/v1/top_k_query_pb.js'
import { UserFlowQuerySchema } from '../../contract/gen/shared/insights/v1/user_flow_query_pb.js'
import { asProjectId } from '../../contract/ids.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { MessageRules } from '../../rpc/message-rules.ts'
import { refusalOf } from '../invalid.ts'
import { parseInsight } from './parse-insight.ts'

const rules = new MessageRules()

/** Parts of a request whose rules take long to read; the later ones are made of the earlier ones. */
const SLOW_PARTS = [
  TimeRangeSchema,
  PropertyFilterSchema,
  UserFlowQuerySchema,
  TopKQuerySchema,
  InsightQuerySpecSchema,
  QueryRequestSchema,
] as const

/** Some project: which one it is changes nothing of what a request may say. */
const ANY_PROJECT = asProjectId(0)

/**
 * Reads the rules of messages, part by part, with a pause before each: all of them at once, as the first check would, takes
 * longer than a page may stand still.
 */
export async function prepareRules(pause: () => Promise<void>): Promise<void> {
  for (const schema of SLOW_PARTS) {
    await pause()
    rules.check(schema, create(schema))
  }
}

/**
 * What `InsightsService.Query` refuses of a request whoever asks, told without asking: the rules of its message, then those
 * of its type. Runs in browsers too.
 */
export function findRefusal(request: QueryRequest, projectTimeZone: string): ServiceError | undefined {
  const refusal = refusalOf(rules.check(QueryRequestSchema, request), 'INVALID_INSIGHT_QUERY')
  if (refusal) return refusal
  try {
    parseInsight(request, { projectId: ANY_PROJECT, projectTimeZone })
    return undefined
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'invalid_argument') return error
    throw error
  }
}
