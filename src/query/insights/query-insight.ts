import { fromJsonString, type MessageInitShape } from '@bufbuild/protobuf'
import { InsightType } from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import {
  type QueryRequest,
  QueryRequestSchema,
  type QueryResponseSchema,
} from '../../contract/gen/shared/insights/v1/insights_service_pb.js'
import { ServiceError } from '../../contract/service-error.ts'
import { invalid } from '../invalid.ts'
import { type FrameContext, type KnownInsightType, parseFrame, parseInsightType } from './frame.ts'
import { funnel } from './funnel/funnel.ts'
import type { Ask, Insight, InsightResult } from './insight.ts'
import { retention } from './retention/retention.ts'
import { segmentation } from './segmentation/segmentation.ts'
import { map, topK } from './top-k/top-k.ts'
import { trends } from './trends/trends.ts'
import { userFlow } from './user-flow/user-flow.ts'

/** A question that was understood and waits to be asked. */
export interface PreparedInsight {
  /** Compiles, runs and shapes. */
  answer(ask: Ask): Promise<MessageInitShape<typeof QueryResponseSchema>>
}

type Prepare = (request: QueryRequest, context: FrameContext) => (ask: Ask) => Promise<InsightResult>

const INSIGHTS = {
  [InsightType.TRENDS]: prepare(trends),
  [InsightType.SEGMENTATION]: prepare(segmentation),
  [InsightType.TOP_K]: prepare(topK),
  [InsightType.MAP]: prepare(map),
  [InsightType.RETENTION]: prepare(retention),
  [InsightType.FUNNEL]: prepare(funnel),
  [InsightType.USER_FLOW]: prepare(userFlow),
} as const satisfies Partial<Record<KnownInsightType, Prepare>>

/** Reads and checks a question of any type. Throws `invalid_argument`. */
export function prepareInsight(request: QueryRequest, context: FrameContext): PreparedInsight {
  if (!request.spec) throw invalid('spec', 'is required', 'INVALID_INSIGHT_QUERY')
  const type = parseInsightType(request.spec)
  const table: Partial<Record<KnownInsightType, Prepare>> = INSIGHTS
  const prepared = table[type]?.(request, context)
  if (!prepared) throw notYet(`insight type ${InsightType[type]}`)
  return { answer: async (ask) => ({ result: await prepared(ask) }) }
}

function prepare<Question>(insight: Insight<Question>): Prepare {
  return (request, context) => {
    const spec = request.spec
    if (!spec) throw invalid('spec', 'is required', 'INVALID_INSIGHT_QUERY')
    const frame = parseFrame(request, spec, context)
    const question = insight.parse(spec, frame)
    return async (ask) => await insight.answer(question, frame, ask)
  }
}

/** Reads a question that was written in proto JSON. Throws what is wrong with it. */
export function parseInsightJson(text: string): QueryRequest {
  return fromJsonString(QueryRequestSchema, text)
}

/** What this release cannot answer yet says so, rather than answering something else. */
export function notYet(what: string): ServiceError {
  return new ServiceError({
    code: 'unimplemented',
    reason: 'NOT_IMPLEMENTED',
    message: `${what} is not available yet`,
  })
}
