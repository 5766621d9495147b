import type { MessageInitShape } from '@bufbuild/protobuf'
import type { QueryResponseSchema } from '../../contract/gen/shared/insights/v1/insights_service_pb.js'
import type { InsightContext } from '../../domain/insights/insight-context.ts'
import type { InRange } from '../../domain/insights/insight-rules.ts'
import type { QueryRunner } from '../sql/select.ts'

/** The result of an insight: one case of the response's oneof. */
export type InsightResult = NonNullable<MessageInitShape<typeof QueryResponseSchema>['result']>

/** How the service answers queries of one type. */
export interface InsightAnswers<Query> {
  readonly answer: AnswerInsight<Query>
  /**
   * Answers two ranges with one result. Without it, the response has a result for each. The other range may be empty: it
   * then ends at or before its start, and has no bucket.
   */
  readonly compare?: CompareInsight<Query>
}

/** Compiles, runs and shapes a query of one type for two ranges. */
export type CompareInsight<Query> = (
  main: InRange<Query>,
  other: InRange<Query>,
  run: QueryRunner,
) => Promise<InsightResult>

/** Compiles, runs and shapes a query of one type. */
export type AnswerInsight<Query> = (
  query: Query,
  context: InsightContext,
  run: QueryRunner,
) => Promise<InsightResult>
