import type { MessageInitShape } from '@bufbuild/protobuf'
import type { HeatmapDaySchema } from '../../contract/gen/shared/activity/v1/activity_pb.js'
import type { GetActivityHeatmapRequest } from '../../contract/gen/shared/activity/v1/activity_service_pb.js'
import { Granularity } from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import type { ProjectId } from '../../contract/ids.ts'
import { bucketStarts } from '../../domain/insights/buckets.ts'
import { invalid } from '../../domain/insights/invalid.ts'
import { parseCalendarRange, type RangeMs } from '../../domain/insights/time-range.ts'
import type { TimeZone } from '../../domain/insights/time-zone.ts'
import { groupedBucket } from '../insights/bucket-sql.ts'
import { int64Codec } from '../sql/codec.ts'
import { scopedEvents } from '../sql/events-table.ts'
import { column, type QueryRunner, select } from '../sql/select.ts'
import { sql } from '../sql/sql.ts'
import { locateEvents } from '../users/locate-events.ts'
import { canonicalUser, USER_KEY } from '../users/user-sql.ts'

/** The scope of the daily event counts. */
export interface HeatmapQuery {
  readonly projectId: ProjectId
  /** Any id of the user; empty for the whole project. */
  readonly distinctId: string
  readonly range: RangeMs
  readonly zone: TimeZone
}

const DAY_MS = 86_400_000
const DAYS_DEFAULT = 60
const DAYS_MAX = 366

/** The requested range, or the last 60 days. Throws `invalid_argument`. */
export function parseHeatmapRange(
  { timeRange }: Pick<GetActivityHeatmapRequest, 'timeRange'>,
  { nowMs, zone }: { readonly nowMs: number; readonly zone: TimeZone },
): RangeMs {
  if (!timeRange) return lastDays(nowMs, zone)
  const range = parseCalendarRange(timeRange, 'INVALID_ACTIVITY_FILTER')
  if (range.toMs - range.fromMs <= DAYS_MAX * DAY_MS) return range
  throw invalid('timeRange', `spans more than ${DAYS_MAX} days`, 'INVALID_ACTIVITY_FILTER')
}

/** The last 60 whole days in the zone, including today. */
export function lastDays(nowMs: number, zone: TimeZone): RangeMs {
  const window = { fromMs: nowMs - DAYS_DEFAULT * DAY_MS, toMs: nowMs + 2 * DAY_MS }
  const starts = bucketStarts({ ...window, width: Granularity.DAY, zone })
  const next = starts.findIndex((start) => start > nowMs)
  return {
    fromMs: starts[Math.max(0, next - DAYS_DEFAULT)] ?? window.fromMs,
    toMs: starts[next] ?? window.toMs,
  }
}

/** Events per day in the zone, ascending; days without events are absent. */
export async function countDays(
  query: HeatmapQuery,
  run: QueryRunner,
): Promise<MessageInitShape<typeof HeatmapDaySchema>[]> {
  const { projectId, distinctId, range, zone } = query
  const starts = bucketStarts({ ...range, width: Granularity.DAY, zone })
  const user = { projectId, distinctId }
  const isOfOne = distinctId !== ''
  const located = isOfOne ? await locateEvents(user, { range, run }) : range
  const ofUser = isOfOne ? sql` AND ${USER_KEY} = ${canonicalUser(user)}` : sql``
  const bucket = groupedBucket(sql`time`, starts)
  const rows = await run(
    select(
      {
        dayMs: column(int64Codec, sql`${bucket.start} AS day`),
        count: column(int64Codec, sql`toInt64(count())`),
      },
      sql`${scopedEvents({ projectId, ...located })}${ofUser} GROUP BY ${bucket.key} ORDER BY day`,
    ),
  )
  return rows.map(({ dayMs, count }) => ({ date: localDate(dayMs, zone), count: BigInt(count) }))
}

function localDate(ms: number, zone: TimeZone): string {
  const offsetMs = zone.segments(ms, ms + 1)[0]?.offsetMs ?? 0
  return new Date(ms + offsetMs).toISOString().slice(0, 10)
}
