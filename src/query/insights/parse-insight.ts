import {
  type InsightQuerySpec,
  InsightType,
} from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import type { QueryRequest } from '../../contract/gen/shared/insights/v1/insights_service_pb.js'
import { invalid } from '../invalid.ts'
import { type FrameContext, type KnownInsightType, parseFrame, parseInsightType } from './frame.ts'
import { type FunnelQuestion, parseFunnel } from './funnel/spec.ts'
import type { Frame } from './insight.ts'
import { parseRetention, type RetentionQuestion } from './retention/spec.ts'
import { parseSegmentation, type SegmentationQuestion } from './segmentation/spec.ts'
import type { SessionQuestion, SessionTrendsQuestion } from './sessions/spec.ts'
import { parseMap, parseTopK, type RankingQuestion } from './top-k/spec.ts'
import { parseTrends, type TrendsQuestion } from './trends/spec.ts'
import { parseUserFlow, type UserFlowQuestion } from './user-flow/spec.ts'

/** The parsed spec of each type. */
export interface Questions {
  readonly [InsightType.TRENDS]: TrendsQuestion | SessionTrendsQuestion
  readonly [InsightType.SEGMENTATION]: SegmentationQuestion | SessionQuestion
  readonly [InsightType.FUNNEL]: FunnelQuestion
  readonly [InsightType.RETENTION]: RetentionQuestion
  readonly [InsightType.USER_FLOW]: UserFlowQuestion
  readonly [InsightType.TOP_K]: RankingQuestion
  readonly [InsightType.MAP]: RankingQuestion
}

/** A parsed query. */
export interface ParsedInsight<Type extends KnownInsightType> {
  readonly type: Type
  readonly frame: Frame
  readonly question: Questions[Type]
}

const PARSERS: {
  readonly [Type in KnownInsightType]: (spec: InsightQuerySpec, frame: Frame) => Questions[Type]
} = {
  [InsightType.TRENDS]: parseTrends,
  [InsightType.SEGMENTATION]: parseSegmentation,
  [InsightType.FUNNEL]: parseFunnel,
  [InsightType.RETENTION]: parseRetention,
  [InsightType.USER_FLOW]: parseUserFlow,
  [InsightType.TOP_K]: parseTopK,
  [InsightType.MAP]: parseMap,
}

/** Parses and validates a query of any type. Throws `invalid_argument`. */
export function parseInsight(request: QueryRequest, context: FrameContext): ParsedInsight<KnownInsightType> {
  const { spec } = request
  if (!spec) throw invalid('spec', 'is required', 'INVALID_INSIGHT_QUERY')
  const type = parseInsightType(spec)
  const frame = parseFrame(request, spec, context)
  return { type, frame, question: PARSERS[type](spec, frame) }
}
