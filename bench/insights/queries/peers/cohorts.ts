import type { PeerSql } from '../../benchmark-query.ts'
import { WHOLE, within } from '../create-request.ts'
import { person, personsOf } from './users.ts'

const DAY_MS = 86_400_000
const DAY = `toInt64(toUnixTimestamp(toStartOfDay(e.timestamp))) * 1000`

/** Users by day of those who bought lately, searched often, and met no error of late. */
export const COHORT_PEERS: readonly PeerSql[] = [
  {
    peer: 'posthog',
    sql: `SELECT ${DAY} AS day, count(DISTINCT ${person('e')}) FROM ${personsOf('e')}
      WHERE e.team_id = 1 AND e.event = 'page_view' AND ${within('e.timestamp')} AND NOT e.cookieless
        AND ${person('e')} IN (${membership()})
      GROUP BY day`,
    note: 'its dynamic cohort inline: a query for each condition, combined as sets',
  },
]

/** The conditions are queries of their own, as in a recalculation of the cohort. */
function membership(): string {
  const condition = (kind: string, least: number, days: number) => {
    const range = { fromMs: WHOLE.toMs - (days - 1) * DAY_MS, toMs: WHOLE.toMs }
    return `SELECT ${person('b')} AS id FROM ${personsOf('b')}
      WHERE b.team_id = 1 AND b.event = '${kind}' AND ${within('b.timestamp', range)} AND NOT b.cookieless GROUP BY id HAVING count() >= ${least}`
  }
  return `(${condition('purchase', 1, 30)}) INTERSECT DISTINCT (${condition('search', 3, 366)}) EXCEPT DISTINCT (${condition('error', 1, 7)})`
}
