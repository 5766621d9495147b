import type { BenchmarkQuery } from '../benchmark-query.ts'
import { createRequest, dayMs, events, PLACE, type Range, topTen, WHOLE, within } from './create-request.ts'

const DAY_MS = 86_400_000

/** A session may begin before the range and end after it: all of the traffic, and a day more on both sides. */
const AROUND: Range = { fromMs: WHOLE.fromMs - DAY_MS, toMs: WHOLE.toMs + DAY_MS }

/** Where a session began shows without what comes after the range. */
const BEFORE: Range = { ...AROUND, toMs: WHOLE.toMs }

/** Number, length, bounces and first pages of sessions. */
export const sessionQueries: readonly BenchmarkQuery[] = [
  {
    name: 'sessions/number',
    request: session('SESSIONS'),
    hand: `SELECT ${dayMs('toDate(began)')} AS day, count() FROM (${lives(BEFORE)}) GROUP BY day`,
    peers: [
      {
        peer: 'goService',
        sql: `SELECT ${dayMs('toDate(began)')} AS day, count() FROM (
            SELECT session_id, min(occur_time) AS began, max(occur_time) AS ended, count() AS n
            FROM peer_go_service WHERE project_id = 1 GROUP BY session_id HAVING ${within('began')})
          GROUP BY day`,
      },
    ],
  },
  {
    name: 'sessions/duration',
    request: session('AVG_DURATION'),
    hand: `SELECT ${dayMs('toDate(began)')} AS day, sum(toUnixTimestamp64Milli(ended) - toUnixTimestamp64Milli(began)) / 1000 / count()
      FROM (${lives(AROUND)}) GROUP BY day`,
  },
  {
    name: 'sessions/bounces',
    request: session('BOUNCE_RATE'),
    hand: `SELECT ${dayMs('toDate(began)')} AS day, 100 * countIf(n = 1) / count() FROM (
      SELECT min(time) AS began, count() AS n ${events({ range: AROUND })} GROUP BY session_id HAVING ${within('began')}) GROUP BY day`,
  },
  {
    name: 'sessions/entry-pathnames',
    request: session('ENTRY', [{ property: '$pathname' }]),
    hand: topTen(
      `SELECT pathname AS value, toDate(began) AS at, count() AS state
        FROM (SELECT min(time) AS began, argMin(pathname, ${PLACE}) AS pathname ${events({ range: AROUND })}
          GROUP BY session_id HAVING ${within('began')}) GROUP BY value, at`,
      { merge: 'sum', at: dayMs('cell.1') },
    ),
  },
]

function session(metric: string, breakdowns: readonly { property: string }[] = []) {
  return createRequest({
    insightType: 'TRENDS',
    session: { metric: `SESSION_METRIC_${metric}` },
    breakdowns: [...breakdowns],
  })
}

/**
 * When sessions began and ended. The table `sessions` would answer for a third of the CPU time, and not exactly: it keeps
 * the session of a copy that lost to one with another session.
 */
function lives(range: Range): string {
  return `SELECT min(time) AS began, max(time) AS ended ${events({ range })} GROUP BY session_id HAVING ${within('began')}`
}
