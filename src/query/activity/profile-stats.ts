import type { JsonObject, MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import type { ProfileStatsSchema } from '../../contract/gen/shared/activity/v1/activity_pb.js'
import type {
  GetProfileStatsRequest,
  GetProfileStatsResponseSchema,
} from '../../contract/gen/shared/activity/v1/activity_service_pb.js'
import type { ProjectId } from '../../contract/ids.ts'
import type { TimeZone } from '../../domain/insights/time-zone.ts'
import { latest } from '../people/activity-summary.ts'
import { readTraits } from '../people/person.ts'
import { int64Codec, uint64Codec } from '../sql/codec.ts'
import { ALL_TIME, scopedEvents } from '../sql/events-table.ts'
import { column, type QueryRunner, select } from '../sql/select.ts'
import { sql } from '../sql/sql.ts'
import { locateEvents } from '../users/locate-events.ts'
import { canonicalUser, USER_KEY, type UserId } from '../users/user-sql.ts'
import { countDays, lastDays } from './heatmap.ts'

/** One call of `ActivityService.GetProfileStats`. */
export interface ProfileStatsCall {
  readonly request: GetProfileStatsRequest
  readonly projectId: ProjectId
  readonly zone: TimeZone
  readonly nowMs: number
  readonly run: QueryRunner
}

/** Totals of one user across all of their ids, their active days and their traits. A user without events has zeros. */
export async function readProfileStats({
  request,
  projectId,
  zone,
  nowMs,
  run,
}: ProfileStatsCall): Promise<MessageInitShape<typeof GetProfileStatsResponseSchema>> {
  const user = { projectId, distinctId: request.distinctId }
  const [stats, heatmap, properties] = await Promise.all([
    readStats(user, run),
    countDays({ ...user, range: lastDays(nowMs, zone), zone }, run),
    readUserTraits(user, run),
  ])
  return { stats, heatmap, properties }
}

async function readStats(
  user: UserId,
  run: QueryRunner,
): Promise<MessageInitShape<typeof ProfileStatsSchema>> {
  const scope = { projectId: user.projectId, ...(await locateEvents(user, { range: ALL_TIME, run })) }
  const [row] = await run(
    select(
      {
        firstMs: column(int64Codec, sql`toUnixTimestamp64Milli(min(time))`),
        lastMs: column(int64Codec, sql`toUnixTimestamp64Milli(max(time))`),
        total: column(int64Codec, sql`toInt64(count())`),
        browser: latest('browser'),
        browserVersion: latest('browser_version'),
        os: latest('os'),
        osVersion: latest('os_version'),
        device: latest('device'),
        country: latest('country'),
        city: latest('city'),
      },
      sql`${scopedEvents(scope)} AND ${USER_KEY} = ${canonicalUser(user)}`,
    ),
  )
  if (!row || row.total === 0) return {}
  const { firstMs, lastMs, total, ...texts } = row
  return {
    firstSeen: timestampFromMs(firstMs),
    lastSeen: timestampFromMs(lastMs),
    totalEvents: BigInt(total),
    ...texts,
  }
}

async function readUserTraits(user: UserId, run: QueryRunner): Promise<JsonObject> {
  const [found] = await run(select({ user: column(uint64Codec, canonicalUser(user)) }, sql``))
  if (!found) return {}
  const traits = await readTraits({ projectId: user.projectId, users: [found.user] }, run)
  return traits.get(found.user) ?? {}
}
