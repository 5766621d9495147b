import type { MessageInitShape } from '@bufbuild/protobuf'
import type { QueryResponseSchema } from '../../contract/gen/shared/insights/v1/insights_service_pb.js'
import type { InsightContext } from '../../domain/insights/insight-context.ts'
import type { QueryRunner } from '../sql/select.ts'

/** The result of an insight: one case of the response's oneof. */
export type InsightResult = NonNullable<MessageInitShape<typeof QueryResponseSchema>['result']>

/** Compiles, runs and shapes a query of one type. */
export type AnswerInsight<Query> = (
  query: Query,
  context: InsightContext,
  run: QueryRunner,
) => Promise<InsightResult>
