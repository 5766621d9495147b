import type { PeerSql } from '../../benchmark-query.ts'
import { within } from '../create-request.ts'
import { person, personsOf } from './users.ts'

const PURCHASE = ['page_view', 'add_to_cart', 'purchase']

const LATEST_FIRST =
  'OVER (PARTITION BY person ORDER BY timestamp DESC ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)'
const STRICTLY_LATER =
  'OVER (PARTITION BY person ORDER BY timestamp DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)'

/** page_view, add_to_cart, purchase within a day, without an error on the way. */
export const EXCLUSION_PEERS: readonly PeerSql[] = [
  {
    peer: 'posthog',
    sql: exclusions(),
    note: 'window functions; an error excludes the attempt after step 1 only',
  },
]

/** The same steps in any order. */
export const ANY_ORDER_PEERS: readonly PeerSql[] = [
  { peer: 'posthog', sql: rotations(), note: 'one pass for each step that may come first' },
  { peer: 'goService', sql: kindsPerUser(), note: 'the times of each kind by user; no merged users' },
]

function counts(levels: string): string {
  return `SELECT step, countIf(level >= step) FROM (${levels}) AS levels CROSS JOIN (SELECT arrayJoin([1, 2, 3]) AS step) AS steps GROUP BY step`
}

/** The events of the steps, with the time of each kind or NULL. */
function stepTimes(kinds: readonly string[]): string {
  const times = kinds.map((kind, index) => `if(e.event = '${kind}', e.timestamp, NULL) AS latest_${index}`)
  return `SELECT ${person('e')} AS person, e.timestamp AS timestamp, e.event = '${kinds[0]}' AS step_0, ${times.join(', ')}
    FROM ${personsOf('e')}
    WHERE e.team_id = 1 AND ${within('e.timestamp')} AND NOT e.cookieless AND e.event IN (${kinds.map((kind) => `'${kind}'`).join(', ')})`
}

/** The next time of each step and of the excluded event after each start; attempts with one before their end do not count. */
function exclusions(): string {
  const day = 'latest_0 + INTERVAL 1 DAY'
  const level = `multiIf(latest_1 <= ${day} AND latest_2 >= latest_1 AND latest_2 <= ${day}, 3, latest_1 <= ${day}, 2, 1)`
  return counts(`
    SELECT person, max(reached) AS level FROM (
      SELECT person, latest_0, excluded, ${level} AS reached, if(reached = 3, latest_2, ${day}) AS until FROM (
        SELECT person, step_0, latest_0, latest_1, min(latest_2) ${LATEST_FIRST} AS latest_2, min(latest_3) ${STRICTLY_LATER} AS excluded
        FROM (SELECT person, timestamp, step_0, latest_0, latest_3, min(latest_1) ${LATEST_FIRST} AS latest_1, min(latest_2) ${LATEST_FIRST} AS latest_2
          FROM (${stepTimes([...PURCHASE, 'error'])})))
      WHERE step_0 = 1) WHERE isNull(excluded) OR excluded > until OR excluded <= latest_0 GROUP BY person`)
}

/** Each step in turn is the first one; the others count where they follow it within the window. */
function rotations(): string {
  const rotated = PURCHASE.map((_, by) =>
    PURCHASE.map((_kind, index) => PURCHASE[(index + by) % PURCHASE.length] ?? ''),
  )
  const next = (index: number) => `min(latest_${index}) ${LATEST_FIRST} AS latest_${index}`
  const follows = (index: number) => `if(latest_${index} <= latest_0 + INTERVAL 1 DAY, 1, 0)`
  const passes = rotated.map(
    (kinds) => `SELECT person, max(1 + ${follows(1)} + ${follows(2)}) AS level FROM (
      SELECT person, step_0, latest_0, ${next(1)}, ${next(2)} FROM (${stepTimes(kinds)})) WHERE step_0 = 1 GROUP BY person`,
  )
  return counts(`SELECT person, max(level) AS level FROM (${passes.join(' UNION ALL ')}) GROUP BY person`)
}

/** The first event of each kind after any event, from arrays of the times of each kind. */
function kindsPerUser(): string {
  const times = PURCHASE.map(
    (kind, index) =>
      `arraySort(groupArrayIf(toUInt64(toUnixTimestamp64Milli(occur_time)), kind = '${kind}')) AS times_${index}`,
  )
  const follows = PURCHASE.map(
    (_, index) => `arrayExists(each -> each >= start AND each <= start + 86400000, times_${index})`,
  )
  return counts(`
    SELECT distinct_id, arrayMax(start -> ${follows.join(' + ')}, arrayConcat(times_0, times_1, times_2)) AS level FROM (
      SELECT distinct_id, ${times.join(', ')} FROM peer_go_service
      WHERE project_id = 1 AND ${within('occur_time')} AND NOT cookieless AND kind IN (${PURCHASE.map((kind) => `'${kind}'`).join(', ')})
      GROUP BY distinct_id)`)
}
