import type { MessageInitShape } from '@bufbuild/protobuf'
import type { QueryResponseSchema } from '../../contract/gen/shared/insights/v1/insights_service_pb.js'
import type { ProjectId } from '../../contract/ids.ts'
import type { Condition } from '../filter/condition.ts'
import type { Query } from '../sql/select.ts'
import type { BucketWidth } from './buckets.ts'
import type { RangeMs } from './time-range.ts'
import type { TimeZone } from './time-zone.ts'

/** What every question has, whatever its type. */
export interface Frame {
  readonly projectId: ProjectId
  readonly range: RangeMs
  readonly granularity: BucketWidth
  readonly zone: TimeZone
  /** The conditions on all events. */
  readonly filters: Condition
  /** Whether cookieless visitors count as users. */
  readonly includeCookieless: boolean
}

/** Runs a statement; a question may ask several, one after the other or at once. */
export type Ask = <R>(query: Query<R>) => Promise<R[]>

/** What an insight answers: one case of the response's oneof. */
export type InsightResult = NonNullable<MessageInitShape<typeof QueryResponseSchema>['result']>

/** Compiles, runs and shapes a question of one type. */
export type AnswerQuestion<Question> = (question: Question, frame: Frame, ask: Ask) => Promise<InsightResult>
