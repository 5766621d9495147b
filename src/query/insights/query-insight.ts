import { fromJsonString, type MessageInitShape } from '@bufbuild/protobuf'
import { InsightType } from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import {
  type QueryRequest,
  QueryRequestSchema,
  type QueryResponseSchema,
} from '../../contract/gen/shared/insights/v1/insights_service_pb.js'
import type { KnownInsightType, ProjectContext } from '../spec/insight-context.ts'
import { type InsightQueries, type ParsedInsight, parseInsight } from '../spec/parse-insight.ts'
import type { QueryRunner } from '../sql/select.ts'
import { answerFunnel } from './funnel/funnel.ts'
import type { AnswerInsight, InsightResult } from './insight.ts'
import { answerRetention } from './retention/retention.ts'
import { answerSegmentation } from './segmentation/segmentation.ts'
import { answerRanking } from './top-k/top-k.ts'
import { answerTrends } from './trends/trends.ts'
import { answerUserFlow } from './user-flow/user-flow.ts'

/** A parsed query that is ready to run. */
export interface PreparedInsight {
  /** Compiles, runs and shapes the query. */
  answer(run: QueryRunner): Promise<MessageInitShape<typeof QueryResponseSchema>>
}

const ANSWERS: { readonly [Type in KnownInsightType]: AnswerInsight<InsightQueries[Type]> } = {
  [InsightType.TRENDS]: answerTrends,
  [InsightType.SEGMENTATION]: answerSegmentation,
  [InsightType.TOP_K]: answerRanking,
  [InsightType.MAP]: answerRanking,
  [InsightType.RETENTION]: answerRetention,
  [InsightType.FUNNEL]: answerFunnel,
  [InsightType.USER_FLOW]: answerUserFlow,
}

/** Parses and validates a query of any type. Throws `invalid_argument`. */
export function prepareInsight(request: QueryRequest, project: ProjectContext): PreparedInsight {
  const parsed = parseInsight(request, project)
  return { answer: async (run) => ({ result: await answerParsed(parsed, run) }) }
}

async function answerParsed<Type extends KnownInsightType>(
  { type, query, context }: ParsedInsight<Type>,
  run: QueryRunner,
): Promise<InsightResult> {
  return await ANSWERS[type](query, context, run)
}

/** Parses a query from proto JSON. Throws when it is invalid. */
export function parseInsightJson(text: string): QueryRequest {
  return fromJsonString(QueryRequestSchema, text)
}
