import { fromJsonString, type MessageInitShape } from '@bufbuild/protobuf'
import {
  type QueryRequest,
  QueryRequestSchema,
  type QueryResponse,
  QueryResponseSchema,
} from '../contract/gen/shared/insights/v1/insights_service_pb.js'
import { type CohortPart, cohortIdsOfSpec } from '../domain/insights/cohort-filters.ts'
import type { KnownInsightType, ProjectContext } from '../domain/insights/insight-context.ts'
import {
  type InRange,
  type InsightQueries,
  type ParsedInsight,
  parseInsight,
} from '../domain/insights/insight-rules.ts'
import type { ReportCost } from '../rpc/server-timing.ts'
import { findAnswer, type QueryCaller, type QueryPorts } from './calls/query-call.ts'
import { answerByCohort, contextOf } from './insights/cohort-split.ts'
import type { InsightResult } from './insights/insight.ts'
import { answersOf } from './insights/registry/insight-registry.ts'
import type { QueryRunner } from './sql/select.ts'

/** A parsed query that is ready to run. */
export interface PreparedInsight {
  /** Compiles, runs and shapes the query. */
  answer(run: QueryRunner): Promise<MessageInitShape<typeof QueryResponseSchema>>
}

/** Parses and validates a query of any type. Throws `invalid_argument`. */
export function prepareInsight(request: QueryRequest, project: ProjectContext): PreparedInsight {
  const parsed = parseInsight(request, project)
  return { answer: async (run) => await answerParsed(parsed, run) }
}

async function answerParsed<Type extends KnownInsightType>(
  { type, query, context, split, compared }: ParsedInsight<Type>,
  run: QueryRunner,
): Promise<MessageInitShape<typeof QueryResponseSchema>> {
  const main = { query, context }
  const { answer, compare } = answersOf(type)
  const ask = async (of: InRange<InsightQueries[Type]>): Promise<InsightResult> =>
    await answerByCohort(split, async (part) => await answer(of.query, contextOf(part, of.context), run))
  if (!compared) return { result: await ask(main) }
  if (!compare) return { result: await ask(main), comparison: { result: await ask(compared) } }
  const result = await answerByCohort(
    split,
    async (part) => await compare(inPart(main, part), inPart(compared, part), run),
  )
  return { result }
}

function inPart<Query>({ query, context }: InRange<Query>, part: CohortPart | undefined): InRange<Query> {
  return { query, context: contextOf(part, context) }
}

/** An insight query from inside the service. */
export interface InsightCall extends QueryCaller {
  readonly request: QueryRequest
  /** Receives the cost of the query. */
  readonly report?: ReportCost
}

/** Answers one insight from the cache or by computing it, exactly as `InsightsService.Query` does. */
export async function answerInsight(ports: QueryPorts, call: InsightCall): Promise<QueryResponse> {
  const { answer, cost, source } = await findAnswer(ports, {
    ...call,
    input: QueryRequestSchema,
    output: QueryResponseSchema,
    cohortIds: cohortIdsOfSpec(call.request.spec),
    answer: async (run, project) => await prepareInsight(call.request, project).answer(run),
  })
  call.report?.(cost, source)
  return answer
}

/** Parses a query from proto JSON. Throws when it is invalid. */
export function parseInsightJson(text: string): QueryRequest {
  return fromJsonString(QueryRequestSchema, text)
}
