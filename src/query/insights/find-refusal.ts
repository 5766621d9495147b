import {
  type QueryRequest,
  QueryRequestSchema,
} from '../../contract/gen/shared/insights/v1/insights_service_pb.js'
import { asProjectId } from '../../contract/ids.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { MessageRules } from '../../rpc/message-rules.ts'
import { refusalOf } from '../invalid.ts'
import { parseInsight } from './parse-insight.ts'

const rules = new MessageRules()

/** Some project: which one it is changes nothing of what a request may say. */
const ANY_PROJECT = asProjectId(0)

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
