import type { MessageInitShape } from '@bufbuild/protobuf'
import type { QueryResponseSchema } from '../../contract/gen/shared/insights/v1/insights_service_pb.js'
import type { ProjectId } from '../../contract/ids.ts'
import type { Condition } from '../filter/condition.ts'
import type { QueryRunner } from '../sql/select.ts'
import type { BucketWidth } from './buckets.ts'
import type { RangeMs } from './time-range.ts'
import type { TimeZone } from './time-zone.ts'

/** The fields that every query has, whatever its type. */
export interface InsightContext {
  readonly projectId: ProjectId
  readonly range: RangeMs
  readonly granularity: BucketWidth
  readonly zone: TimeZone
  /** Conditions on all events. */
  readonly filters: Condition
  /** Whether cookieless visitors count as users. */
  readonly includeCookieless: boolean
}

/** The result of an insight: one case of the response's oneof. */
export type InsightResult = NonNullable<MessageInitShape<typeof QueryResponseSchema>['result']>

/** Compiles, runs and shapes a query of one type. */
export type AnswerInsight<Query> = (
  query: Query,
  context: InsightContext,
  run: QueryRunner,
) => Promise<InsightResult>
