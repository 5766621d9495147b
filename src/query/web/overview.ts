import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import type {
  QueryOverviewResponseSchema,
  WebPointSchema,
} from '../../contract/gen/millrace/web/v1/web_analytics_service_pb.js'
import type { Goal } from '../goals/goal-store.ts'
import { requireGoals, type VisitSearch } from './find-visits.ts'
import type { VisitReading } from './visit-scans.ts'
import { NO_VISITS, toMetrics, type VisitTotals } from './web-metrics.ts'
import type { BucketRange, OverviewQuery } from './web-query.ts'

/** Measures the visits of a range, and of the range to compare with. Throws `not_found` for an unknown goal. */
export async function answerOverview(
  { selection, main, compared }: OverviewQuery,
  goals: readonly Goal[],
  reading: VisitReading,
): Promise<MessageInitShape<typeof QueryOverviewResponseSchema>> {
  const search = { selection, goals }
  requireGoals(search)
  const [own, other] = await Promise.all([
    measure(search, main, reading),
    compared && measure(search, compared, reading),
  ])
  return {
    totals: toMetrics(own.total),
    points: own.points,
    ...(other ? { comparisonTotals: toMetrics(other.total), comparisonPoints: other.points } : {}),
  }
}

async function measure(
  search: VisitSearch,
  range: BucketRange,
  { run, scans }: VisitReading,
): Promise<{
  readonly total: VisitTotals
  readonly points: MessageInitShape<typeof WebPointSchema>[]
}> {
  // In one scan, because visitors of buckets do not add up.
  const part = { by: 'bucket', starts: range.starts } as const
  const { whole, rows } = await scans.ask({ search, range, part }, run)
  const byBucket = new Map(rows.map((row) => [Number(row.key), row]))
  return {
    total: whole ?? NO_VISITS,
    points: range.starts.map((start) => ({
      time: timestampFromMs(start),
      metrics: toMetrics(byBucket.get(start) ?? NO_VISITS),
    })),
  }
}
