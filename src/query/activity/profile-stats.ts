import type { JsonObject, MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import type { ProfileStatsSchema } from '../../contract/gen/shared/activity/v1/activity_pb.js'
import type {
  GetProfileStatsRequest,
  GetProfileStatsResponseSchema,
} from '../../contract/gen/shared/activity/v1/activity_service_pb.js'
import type { ProjectId } from '../../contract/ids.ts'
import type { Ask } from '../insights/insight.ts'
import type { TimeZone } from '../insights/time-zone.ts'
import { int64Codec, stringCodec, uint32Codec } from '../sql/codec.ts'
import { scopedEvents } from '../sql/events-table.ts'
import { column, select } from '../sql/select.ts'
import { param, Sql, sql } from '../sql/sql.ts'
import { canonicalUser, type UserId, userHashes } from '../users/user-ids.ts'
import { USER_KEY } from '../users/user-key.ts'
import { ALL_TIME } from './activity-question.ts'
import { countDays, lastDays } from './heatmap.ts'

/** One call of `ActivityService.GetProfileStats`. */
export interface ProfileStatsCall {
  readonly request: GetProfileStatsRequest
  readonly projectId: ProjectId
  readonly zone: TimeZone
  readonly nowMs: number
  readonly ask: Ask
}

/** Totals of one user under all of their ids, their days and their traits. A user without events has zeros. */
export async function readProfileStats({
  request,
  projectId,
  zone,
  nowMs,
  ask,
}: ProfileStatsCall): Promise<MessageInitShape<typeof GetProfileStatsResponseSchema>> {
  const user = { projectId, distinctId: request.distinctId }
  const [stats, heatmap, properties] = await Promise.all([
    readStats(user, ask),
    countDays({ ...user, range: lastDays(nowMs, zone), zone }, ask),
    readTraits(user, ask),
  ])
  return { stats, heatmap, properties }
}

/** The value of a column on the user's latest event that has one. */
function latest(name: 'browser' | 'browser_version' | 'os' | 'os_version' | 'device' | 'country' | 'city') {
  const value = Sql.of([name], [])
  return column(stringCodec, sql`toString(argMaxIf(${value}, (time, toString(event_id)), ${value} != ''))`)
}

async function readStats(user: UserId, ask: Ask): Promise<MessageInitShape<typeof ProfileStatsSchema>> {
  const scope = { projectId: user.projectId, ...ALL_TIME, userHashes: userHashes(user) }
  const [row] = await ask(
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

/** The user's traits as plain JSON. */
async function readTraits(user: UserId, ask: Ask): Promise<JsonObject> {
  const project = param(uint32Codec, user.projectId)
  const rows = await ask(
    select(
      { key: column(stringCodec, sql`key`), value: column(stringCodec, sql`value`) },
      sql`FROM traits FINAL WHERE project = ${project} AND user_hash = ${canonicalUser(user)}`,
    ),
  )
  return Object.fromEntries(rows.map(({ key, value }) => [key, JSON.parse(value)]))
}
