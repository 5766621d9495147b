import type { PeerSql } from '../../benchmark-query.ts'
import { WHOLE, within } from '../create-request.ts'
import { person, personsOf } from './users.ts'

const DAYS = 60
const NO_MERGES = 'no merged users'

/** page_view after page_view, by day. */
export const RETENTION_PEERS: readonly PeerSql[] = [
  { peer: 'goService', sql: joinedEvents(), note: `approximate, ${NO_MERGES}` },
  { peer: 'posthog', sql: intervalArrays() },
  { peer: 'openpanel', sql: wideColumns(), note: NO_MERGES },
  {
    peer: 'umami',
    sql: joinedDays({
      table: 'peer_umami',
      user: 'session_id',
      time: 'created_at',
      site: `website_id = '00000000-0000-0000-0000-000000000001'`,
    }),
    note: NO_MERGES,
  },
  {
    peer: 'rybbit',
    sql: joinedDays({ table: 'peer_rybbit', user: 'user_id', time: 'timestamp', site: 'site_id = 1' }),
    note: NO_MERGES,
  },
]

function atMs(date: string): string {
  return `toString(toUnixTimestamp(toDateTime(${date}, 'UTC')) * 1000)`
}

/** Cohorts with the first bucket and instant, joined to the events again, counted by HyperLogLog. */
function joinedEvents(): string {
  const rows = `FROM peer_go_service WHERE project_id = 1 AND kind = 'page_view' AND ${within('occur_time')} AND NOT cookieless`
  return `
    WITH cohorts AS (SELECT distinct_id, min(toStartOfDay(occur_time)) AS cohort, min(occur_time) AS first ${rows} GROUP BY distinct_id),
      sizes AS (SELECT cohort, uniq(distinct_id) AS size FROM cohorts GROUP BY cohort),
      returned AS (SELECT c.cohort AS cohort, toStartOfDay(e.occur_time) AS bucket, uniq(e.distinct_id) AS users
        FROM (SELECT distinct_id, occur_time ${rows}) AS e JOIN cohorts AS c ON e.distinct_id = c.distinct_id
        WHERE e.occur_time >= c.first GROUP BY cohort, bucket)
    SELECT ${atMs('r.cohort')} AS cohort_ms, ${atMs('r.bucket')} AS at, r.users AS users FROM returned AS r JOIN sizes AS s ON r.cohort = s.cohort
    UNION ALL SELECT ${atMs('cohort')}, 'size', size FROM sizes`
}

/** One scan: the starts of the intervals with an event by person, then indexes of intervals. */
function intervalArrays(): string {
  const from = `toDateTime(${WHOLE.fromMs / 1000}, 'UTC')`
  return `
    SELECT ${atMs(`${from} + INTERVAL start_interval DAY`)} AS cohort_ms,
      if(bucket < 0, 'size', ${atMs(`${from} + INTERVAL (start_interval + bucket) DAY`)}) AS at, count(DISTINCT actor_id)
    FROM (
      SELECT actor_id, indexOf(date_range, start_timestamps[1]) - 1 AS start_interval,
        arrayJoin(arrayPushFront(arrayFilter(x -> x >= 0,
          arrayMap(x -> indexOf(date_range, x) - 1 - start_interval, return_timestamps)), -1)) AS bucket
      FROM (
        SELECT ${person('e')} AS actor_id,
          arrayMap(x -> toStartOfDay(${from} + toIntervalDay(x)), range(${DAYS})) AS date_range,
          arraySort(groupUniqArrayIf(toStartOfDay(e.timestamp), e.event = 'page_view')) AS start_timestamps,
          arraySort(groupUniqArrayIf(toStartOfDay(e.timestamp), e.event = 'page_view')) AS return_timestamps
        FROM ${personsOf('e')}
        WHERE e.team_id = 1 AND e.event = 'page_view' AND ${within('e.timestamp')} AND NOT e.cookieless GROUP BY actor_id))
    GROUP BY cohort_ms, at`
}

/** The first day of everybody joined to the days with events, one set of users for every distance. */
function wideColumns(): string {
  const rows = `FROM peer_openpanel WHERE project_id = '1' AND name = 'page_view' AND ${within('created_at')} AND NOT cookieless`
  const columns = Array.from(
    { length: DAYS },
    (_, day) => `groupUniqArrayIf(profile_id, distance = ${day}) AS day${day}`,
  )
  const lengths = Array.from({ length: DAYS }, (_, day) => `length(day${day})`)
  return `
    SELECT ${atMs('cohort')} AS cohort_ms, if(day = 0, 'size', ${atMs('cohort + day - 1')}) AS at, users FROM (
      SELECT cohort, arrayConcat([length(day0)], [${lengths.join(', ')}]) AS counts FROM (
        SELECT cohort, ${columns.join(', ')} FROM (
          SELECT e.profile_id AS profile_id, c.cohort AS cohort, dateDiff('day', c.cohort, e.day) AS distance
          FROM (SELECT DISTINCT profile_id, toDate(created_at) AS day ${rows}) AS e
          JOIN (SELECT profile_id, min(toDate(created_at)) AS cohort ${rows} GROUP BY profile_id) AS c ON e.profile_id = c.profile_id)
        GROUP BY cohort))
    ARRAY JOIN counts AS users, range(length(counts)) AS day`
}

interface Columns {
  readonly table: string
  readonly user: string
  readonly time: string
  readonly site: string
}

function joinedDays({ table, user, time, site }: Columns): string {
  const rows = `FROM ${table} WHERE ${site} AND event_name = 'page_view' AND ${within(time)} AND NOT cookieless`
  return `
    WITH cohorts AS (SELECT ${user} AS user, min(toDate(${time})) AS cohort ${rows} GROUP BY user),
      days AS (SELECT DISTINCT ${user} AS user, toDate(${time}) AS day ${rows})
    SELECT ${atMs('c.cohort')} AS cohort_ms, ${atMs('d.day')} AS at, count(DISTINCT d.user)
      FROM days AS d JOIN cohorts AS c ON d.user = c.user GROUP BY cohort_ms, at
    UNION ALL SELECT ${atMs('cohort')} AS cohort_ms, 'size', count() FROM cohorts GROUP BY cohort_ms`
}
