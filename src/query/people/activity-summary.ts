import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import type { ProfileActivitySummarySchema } from '../../contract/gen/shared/profiles/v1/profile_pb.js'
import type { ProjectId } from '../../contract/ids.ts'
import { type Codec, int64Codec, stringCodec, uint64ArrayCodec, uint64Codec } from '../sql/codec.ts'
import { ALL_TIME, type EventScope, HAS_SESSION, scopedEvents } from '../sql/events-table.ts'
import { type Column, column, type QueryRunner, type Row, select } from '../sql/select.ts'
import { param, Sql, sql } from '../sql/sql.ts'
import { locateEventsOf } from '../users/locate-events.ts'
import { hashesOfUsers, USER_KEY } from '../users/user-sql.ts'

/** A text column of events whose latest value describes the user. */
type LatestColumn =
  | 'browser'
  | 'browser_version'
  | 'os'
  | 'os_version'
  | 'device'
  | 'country'
  | 'region'
  | 'city'

/** The value of a column on the user's latest event that has one; empty without any. Use in a grouped statement. */
export function latest(name: LatestColumn): Column<string> {
  const value = Sql.of([name], [])
  return column(stringCodec, sql`toString(argMaxIf(${value}, (time, toString(event_id)), ${value} != ''))`)
}

const count: Codec<bigint> = {
  ...int64Codec,
  encode: (value) => value,
  decode: (cell) => BigInt(String(cell)),
}

/** Summary of a user's events, over the rows of a group. */
const SUMMARY_COLUMNS = {
  firstMs: column(int64Codec, sql`toUnixTimestamp64Milli(min(time))`),
  lastMs: column(int64Codec, sql`toUnixTimestamp64Milli(max(time))`),
  totalEvents: column(count, sql`toInt64(count())`),
  pageviews: column(count, sql`toInt64(countIf(kind = 'page_view'))`),
  sessions: column(count, sql`toInt64(uniqExactIf(session_id, ${HAS_SESSION}))`),
  browser: latest('browser'),
  browserVersion: latest('browser_version'),
  os: latest('os'),
  osVersion: latest('os_version'),
  device: latest('device'),
  country: latest('country'),
  region: latest('region'),
  city: latest('city'),
}

/** Summary of a user's events. */
export type ActivitySummary = MessageInitShape<typeof ProfileActivitySummarySchema>

/** Summaries over all ids of each user, by user; users without events, and cookieless ones, are absent. */
export async function readSummaries(
  { projectId, users }: { readonly projectId: ProjectId; readonly users: readonly bigint[] },
  run: QueryRunner,
): Promise<ReadonlyMap<bigint, ActivitySummary>> {
  const place = await locateEventsOf({ projectId, users }, run)
  if (!place) return new Map()
  const summarized = select(
    { ...USER_COLUMN, ...SUMMARY_COLUMNS },
    eventsByUser({ projectId, ...place }, users),
  )
  return new Map((await run(summarized)).map((row) => [row.user, toSummary(row)]))
}

/** The most recent location of each user; users without events are absent. */
export async function readLocations(
  { projectId, users }: { readonly projectId: ProjectId; readonly users: readonly bigint[] },
  run: QueryRunner,
): Promise<ReadonlyMap<bigint, { readonly country: string; readonly city: string }>> {
  const columns = { ...USER_COLUMN, country: latest('country'), city: latest('city') }
  const scope = { projectId, ...ALL_TIME, userHashes: hashesOfUsers(projectId, users) }
  const rows = await run(select(columns, eventsByUser(scope, users)))
  return new Map(rows.map(({ user, country, city }) => [user, { country, city }]))
}

const USER_COLUMN = { user: column(uint64Codec, sql`${USER_KEY} AS canonical`) }

/** `FROM ... GROUP BY canonical`: the events of some users, over all of their ids, which the scope has to contain. */
function eventsByUser(scope: EventScope, users: readonly bigint[]): Sql {
  return sql`${scopedEvents(scope)} GROUP BY canonical HAVING canonical IN ${param(uint64ArrayCodec, users)}`
}

function toSummary({
  user: _,
  firstMs,
  lastMs,
  ...rest
}: Row<typeof SUMMARY_COLUMNS> & { readonly user: bigint }): ActivitySummary {
  return { firstSeen: timestampFromMs(firstMs), lastSeen: timestampFromMs(lastMs), ...rest }
}
