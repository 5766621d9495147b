import { Granularity } from '../../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import type { ProjectId } from '../../../contract/ids.ts'
import { int64Codec, stringArrayCodec, stringCodec } from '../../sql/codec.ts'
import { scopedEvents } from '../../sql/events-table.ts'
import { column, type Query, select } from '../../sql/select.ts'
import { param, type Sql, sql } from '../../sql/sql.ts'
import type { BucketWidth } from '../buckets.ts'
import type { TrendsQuestion } from './spec.ts'

/** Events of one kind in one bucket. */
export interface BucketCount {
  readonly kind: string
  /** Start of the bucket, milliseconds since the Unix epoch. */
  readonly bucketMs: number
  readonly count: number
}

const START_OF = {
  [Granularity.MINUTE]: sql`toStartOfMinute(time)`,
  [Granularity.HOUR]: sql`toStartOfHour(time)`,
  [Granularity.DAY]: sql`toStartOfDay(time)`,
  [Granularity.WEEK]: sql`toDateTime(toMonday(time), 'UTC')`,
  [Granularity.MONTH]: sql`toDateTime(toStartOfMonth(time), 'UTC')`,
} as const satisfies Record<BucketWidth, Sql>

/** Counts per kind and bucket, in one scan for all series. */
export function compileTrends(question: TrendsQuestion, projectId: ProjectId): Query<BucketCount> {
  const scope = { projectId, ...question.range }
  const everyKind = question.kinds.includes('')
  const kinds = everyKind ? sql`` : sql` AND kind IN ${param(stringArrayCodec, question.kinds)}`
  return select(
    {
      kind: column(stringCodec, sql`toString(kind)`),
      bucketMs: column(
        int64Codec,
        sql`toInt64(toUnixTimestamp(${START_OF[question.granularity]})) * 1000 AS bucket`,
      ),
      count: column(int64Codec, sql`toInt64(count())`),
    },
    sql`${scopedEvents(scope)}${kinds} GROUP BY kind, bucket`,
  )
}
