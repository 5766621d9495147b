import type { PeerSql } from '../../benchmark-query.ts'
import { within } from '../create-request.ts'
import { person, personsOf } from './users.ts'

const DAY_SECONDS = 86_400
const DAY_MS = 86_400_000
const PURCHASE = ['page_view', 'add_to_cart', 'purchase']
const REPEATED = ['page_view', 'page_view', 'purchase']
const IN_THE_FUNNEL = among(PURCHASE)

/** page_view, add_to_cart, purchase within a day. */
export const PURCHASE_PEERS: readonly PeerSql[] = [
  {
    peer: 'goService',
    sql: counts(`SELECT distinct_id, windowFunnel(${DAY_SECONDS})(toDateTime(occur_time), ${is('kind')}) AS level
      FROM peer_go_service WHERE project_id = 1 AND ${within('occur_time')} AND NOT cookieless GROUP BY distinct_id`),
    note: 'whole seconds, no merged users',
  },
  {
    peer: 'openpanel',
    sql: counts(openpanelLevels({ kinds: PURCHASE, windowMs: DAY_MS })),
    note: 'strict_increase, no merged users',
  },
  {
    peer: 'posthog',
    sql: counts(posthogLevels({ kinds: PURCHASE, windowMs: DAY_MS })),
    note: 'its executable function written as arrayFold',
  },
  { peer: 'posthog', sql: cascade(), note: 'its former window functions' },
  {
    peer: 'swetrix',
    sql: counts(`SELECT psid, windowFunnel(${DAY_SECONDS})(created, ${is('value')}) AS level
      FROM peer_swetrix WHERE pid = 'project00001' AND ${within('created')} AND NOT cookieless GROUP BY psid`),
    note: 'counts sessions',
  },
  { peer: 'umami', sql: selfJoins(), note: 'a day from step to step, no merged users' },
  { peer: 'rybbit', sql: firstEntries(), note: 'no window, first entry only, no merged users' },
]

/** page_view, page_view, purchase within an hour. */
export const REPEATED_PEERS: readonly PeerSql[] = [
  {
    peer: 'goService',
    sql: counts(`SELECT distinct_id, windowFunnel(3600)(toDateTime(occur_time), ${is('kind', REPEATED)}) AS level
      FROM peer_go_service WHERE project_id = 1 AND ${within('occur_time')} AND NOT cookieless GROUP BY distinct_id`),
    note: 'one event fills both steps',
  },
  {
    peer: 'openpanel',
    sql: counts(openpanelLevels({ kinds: REPEATED, windowMs: 3_600_000 })),
    note: 'strict_increase',
  },
  {
    peer: 'posthog',
    sql: counts(posthogLevels({ kinds: REPEATED, windowMs: 3_600_000 })),
    note: 'its executable function written as arrayFold',
  },
]

/** The first of {@link PURCHASE_PEERS} with the times from step to step. */
export const TIMED_PEERS: readonly PeerSql[] = [
  {
    peer: 'goService',
    sql: `
      WITH reached AS (
        SELECT distinct_id, windowFunnel(${DAY_SECONDS})(toDateTime(occur_time), ${is('kind')}) AS level
        FROM peer_go_service WHERE project_id = 1 AND ${within('occur_time')} AND NOT cookieless GROUP BY distinct_id HAVING level >= 2)
      SELECT 'rows for the application', count() FROM (
        SELECT distinct_id, groupArray(occur_time) AS times,
          groupArray(multiIf(kind = 'page_view', 1, kind = 'add_to_cart', 2, 3)) AS tags
        FROM (SELECT distinct_id, occur_time, kind FROM peer_go_service
          WHERE project_id = 1 AND ${within('occur_time')} AND NOT cookieless AND kind IN ${IN_THE_FUNNEL}
            AND distinct_id IN (SELECT distinct_id FROM reached) ORDER BY distinct_id, occur_time)
        GROUP BY distinct_id) WHERE length(times) = length(tags)`,
    note: 'its statements only: the application walks the rows',
  },
]

function counts(levels: string): string {
  return `SELECT step, countIf(level >= step) FROM (${levels}) AS levels CROSS JOIN (SELECT arrayJoin([1, 2, 3]) AS step) AS steps GROUP BY step`
}

function is(column: string, kinds: readonly string[] = PURCHASE): string {
  return kinds.map((kind) => `${column} = '${kind}'`).join(', ')
}

function among(kinds: readonly string[]): string {
  return `(${[...new Set(kinds)].map((kind) => `'${kind}'`).join(', ')})`
}

interface Steps {
  readonly kinds: readonly string[]
  readonly windowMs: number
}

function openpanelLevels({ kinds, windowMs }: Steps): string {
  return `SELECT profile_id, windowFunnel(${windowMs}, 'strict_increase')(toUInt64(toUnixTimestamp64Milli(created_at)), ${is('name', kinds)}) AS level
    FROM peer_openpanel WHERE project_id = '1' AND ${within('created_at')} AND NOT cookieless AND name IN ${among(kinds)}
    GROUP BY profile_id`
}

/** Each event has a mask of the steps it fills; the fold keeps the latest start of a chain of every length. */
function posthogLevels({ kinds, windowMs }: Steps): string {
  const steps = kinds.map((kind, index) => `${2 ** index} * (e.event = '${kind}')`).join(' + ')
  const at = 'toUInt64(toUnixTimestamp64Milli(x.1))'
  return `
    SELECT length(arrayFilter(x -> x > 0, arrayFold((acc, x) -> arrayMap(k ->
        if(bitTest(x.3, toUInt8(k - 1)) AND (k = 1 OR (acc[k - 1] > 0 AND ${at} - acc[k - 1] <= ${windowMs})),
          if(k = 1, ${at}, acc[k - 1]), acc[k]), range(1, 4)),
      arraySort(groupArray((timestamp, uuid, steps))), arrayResize(emptyArrayUInt64(), 3)))) AS level
    FROM (SELECT ${person('e')} AS person, toDateTime64(e.timestamp, 3, 'UTC') AS timestamp, e.uuid AS uuid, toUInt8(${steps}) AS steps
      FROM ${personsOf('e')}
      WHERE e.team_id = 1 AND ${within('e.timestamp')} AND NOT e.cookieless AND e.event IN ${among(kinds)})
    GROUP BY person`
}

function cascade(): string {
  const rows =
    'OVER (PARTITION BY person ORDER BY timestamp DESC ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)'
  return `
    SELECT step, countIf(level >= step) FROM (
      SELECT person, max(multiIf(
        isNotNull(latest_1) AND isNotNull(latest_2) AND latest_1 <= latest_0 + INTERVAL 1 DAY AND latest_2 >= latest_1
          AND latest_2 <= latest_0 + INTERVAL 1 DAY, 3,
        isNotNull(latest_1) AND latest_1 <= latest_0 + INTERVAL 1 DAY, 2, 1)) AS level
      FROM (
        SELECT person, step_0, latest_0, latest_1, min(latest_2) ${rows} AS latest_2 FROM (
          SELECT person, timestamp, step_0, latest_0, latest_1, if(latest_2 < latest_1, NULL, latest_2) AS latest_2 FROM (
            SELECT person, timestamp, step_0, latest_0, min(latest_1) ${rows} AS latest_1, min(latest_2) ${rows} AS latest_2
            FROM (
              SELECT ${person('e')} AS person, e.timestamp AS timestamp, e.event = 'page_view' AS step_0,
                if(e.event = 'page_view', e.timestamp, NULL) AS latest_0,
                if(e.event = 'add_to_cart', e.timestamp, NULL) AS latest_1,
                if(e.event = 'purchase', e.timestamp, NULL) AS latest_2
              FROM ${personsOf('e')}
              WHERE e.team_id = 1 AND ${within('e.timestamp')} AND NOT e.cookieless AND e.event IN ${IN_THE_FUNNEL}))))
      WHERE step_0 = 1 GROUP BY person
    ) AS levels CROSS JOIN (SELECT arrayJoin([1, 2, 3]) AS step) AS steps GROUP BY step`
}

function selfJoins(): string {
  const next = (level: number, kind: string) => `
    level${level} AS (SELECT DISTINCT y.session_id AS session_id, y.created_at AS created_at
      FROM level${level - 1} AS x JOIN level0 AS y ON x.session_id = y.session_id
      WHERE y.created_at BETWEEN x.created_at AND x.created_at + INTERVAL 1440 MINUTE AND y.event_name = '${kind}')`
  const count = (level: number) => `SELECT ${level} AS level, count(DISTINCT session_id) FROM level${level}`
  return `
    WITH level0 AS (SELECT DISTINCT session_id, url_path, event_name, created_at FROM peer_umami
        WHERE website_id = '00000000-0000-0000-0000-000000000001' AND ${within('created_at')} AND NOT cookieless
          AND event_name IN ${IN_THE_FUNNEL}),
      level1 AS (SELECT DISTINCT session_id, created_at FROM level0 WHERE event_name = 'page_view'),
      ${next(2, 'add_to_cart')}, ${next(3, 'purchase')}
    ${count(1)} UNION ALL ${count(2)} UNION ALL ${count(3)}`
}

function firstEntries(): string {
  const next = (step: number, kind: string) => `
    step${step} AS (SELECT s.user_id AS user_id, min(a.timestamp) AS at
      FROM step${step - 1} AS s JOIN actions AS a ON s.user_id = a.user_id
      WHERE a.timestamp > s.at AND a.event_name = '${kind}' GROUP BY user_id)`
  const count = (step: number) => `SELECT ${step} AS step, count(DISTINCT user_id) FROM step${step}`
  return `
    WITH actions AS (SELECT user_id, timestamp, event_name FROM peer_rybbit
        WHERE site_id = 1 AND ${within('timestamp')} AND NOT cookieless),
      step1 AS (SELECT user_id, min(timestamp) AS at FROM actions WHERE event_name = 'page_view' GROUP BY user_id),
      ${next(2, 'add_to_cart')}, ${next(3, 'purchase')}
    ${count(1)} UNION ALL ${count(2)} UNION ALL ${count(3)}`
}
