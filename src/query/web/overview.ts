import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import type {
  QueryOverviewResponseSchema,
  WebPointSchema,
} from '../../contract/gen/millrace/web/v1/web_analytics_service_pb.js'
import type { Goal } from '../goals/goal-store.ts'
import { bucketOf } from '../insights/bucket-sql.ts'
import { float64Codec, int64Codec } from '../sql/codec.ts'
import { type CompiledQuery, column, type QueryRunner, select } from '../sql/select.ts'
import { sql } from '../sql/sql.ts'
import { requireGoals, type VisitSearch } from './find-visits.ts'
import { readVisits, selectAllVisits, type Visits } from './select-visits.ts'
import { NO_VISITS, toMetrics, type VisitTotals } from './web-metrics.ts'
import type { BucketRange, OverviewQuery } from './web-query.ts'

/** Measures the visits of a range, and of the range to compare with. Throws `not_found` for an unknown goal. */
export async function answerOverview(
  { selection, main, compared }: OverviewQuery,
  goals: readonly Goal[],
  run: QueryRunner,
): Promise<MessageInitShape<typeof QueryOverviewResponseSchema>> {
  const search = { selection, goals }
  requireGoals(search)
  const [own, other] = await Promise.all([
    measure(search, main, run),
    compared && measure(search, compared, run),
  ])
  return {
    totals: toMetrics(own.total),
    points: own.points,
    ...(other ? { comparisonTotals: toMetrics(other.total), comparisonPoints: other.points } : {}),
  }
}

/** The totals of a bucket, or of the whole range. */
interface BucketRow extends VisitTotals {
  readonly isTotal: number
  readonly bucketMs: number
}

async function measure(
  search: VisitSearch,
  range: BucketRange,
  run: QueryRunner,
): Promise<{
  readonly total: VisitTotals
  readonly points: MessageInitShape<typeof WebPointSchema>[]
}> {
  const compile = (visits: Visits): CompiledQuery<BucketRow> => compileOverview(visits, range.starts)
  const rows = await readVisits({ search, range, isFoldable: true, compile }, run)
  const byBucket = new Map(rows.filter(({ isTotal }) => isTotal === 0).map((row) => [row.bucketMs, row]))
  return {
    total: rows.find(({ isTotal }) => isTotal === 1) ?? NO_VISITS,
    points: range.starts.map((start) => ({
      time: timestampFromMs(start),
      metrics: toMetrics(byBucket.get(start) ?? NO_VISITS),
    })),
  }
}

/** The totals per bucket and over all of them: in one scan, because visitors of buckets do not add up. */
function compileOverview(visits: Visits, starts: readonly number[]): CompiledQuery<BucketRow> {
  // A constant is no key of a group.
  const bucket = sql`materialize(${bucketOf(sql`began`, starts)})`
  const rows = sql`SELECT ${bucket} AS bucket, spent, event_count, views, users FROM (${selectAllVisits(visits, [])})`
  return select(
    {
      isTotal: column(int64Codec, sql`toInt64(grouping(bucket))`),
      bucketMs: column(int64Codec, sql`toInt64(bucket)`),
      visitors: column(int64Codec, sql`toInt64(uniqExactArray(users))`),
      visits: column(int64Codec, sql`toInt64(count())`),
      views: column(int64Codec, sql`toInt64(sum(views))`),
      bounces: column(int64Codec, sql`toInt64(countIf(event_count = 1))`),
      // The sum may exceed the integers that are exact in JavaScript; the mean does not need them.
      spentMs: column(float64Codec, sql`toFloat64(sum(spent))`),
    },
    sql`FROM (${rows}) GROUP BY bucket WITH ROLLUP`,
  )
}
