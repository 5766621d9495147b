import {
  canonicals,
  dayMs,
  events,
  PLACE,
  type Range,
  SENT,
  WHOLE,
  within,
} from '../insights/queries/create-request.ts'

const DAY_MS = 86_400_000

/** The last thirty days of the traffic. */
export const RANGE: Range = { fromMs: WHOLE.toMs - 30 * DAY_MS, toMs: WHOLE.toMs }

/** A visit may begin before the range and end after it: six hours are more than any has. */
const AROUND: Range = { fromMs: RANGE.fromMs - DAY_MS / 4, toMs: RANGE.toMs + DAY_MS / 4 }

/** One row for each visit, with further columns over its events. */
function visits(more = ''): string {
  return `SELECT min(time) AS began, toUnixTimestamp64Milli(max(time)) - toUnixTimestamp64Milli(began) AS spent, count() AS n,
      countIf(kind = 'page_view') AS viewed, ${canonicals(SENT)} AS users${more}
    ${events({ range: AROUND })} GROUP BY session_id
    HAVING ${within('began', RANGE)} AND NOT max(bools['$bot'])`
}

const TOTALS = `uniqExactArray(users) AS visitors, count() AS visits, sum(viewed) AS views, countIf(n = 1) AS bounces,
  sum(spent) AS seconds`

/** By day, and over all days. */
export const OVERVIEW_BY_HAND = `
  SELECT if(grouping(day) = 1, 'total', toString(${dayMs('day')})), ${TOTALS}
  FROM (SELECT *, toDate(began) AS day FROM (${visits()})) GROUP BY day WITH ROLLUP`

/** The row of all visits, by which shares are measured, then ten values of most visitors; each with the number of values. */
function topTen(groups: string): string {
  return `SELECT value, visitors, visits, views, bounces, seconds, count() OVER () - 1 FROM (${groups})
    ORDER BY whole DESC, visitors DESC, value LIMIT 11`
}

function byVisit(value: string): string {
  return topTen(
    `SELECT grouping(value) AS whole, value, ${TOTALS} FROM (${visits(`, ${value} AS value`)}) GROUP BY value WITH ROLLUP`,
  )
}

const byFirst = (column: string): string => byVisit(`argMin(${column}, ${PLACE})`)

/** Every page view of a visit, the first one of each page apart, after a row for the visit itself. */
const BY_PAGE = topTen(`
  SELECT nth = 0 AS whole, value, uniqExactArrayIf(users, nth < 2) AS visitors, countIf(nth < 2) AS visits,
    sum(if(nth = 0, viewed, 1)) AS views, countIf(nth < 2 AND n = 1) AS bounces, sumIf(spent, nth < 2) AS seconds
  FROM (${visits(", groupArrayIf(pathname, kind = 'page_view') AS pages")})
  ARRAY JOIN arrayPushFront(pages, '') AS value, arrayPushFront(arrayEnumerateUniq(pages), 0) AS nth
  GROUP BY whole, value`)

/** The tables of the overview, with the statements by hand. */
export const TABLES = [
  { dimension: 'PAGE', hand: BY_PAGE },
  { dimension: 'ENTRY_PAGE', hand: byVisit(`argMinIf(pathname, ${PLACE}, kind = 'page_view')`) },
  { dimension: 'EXIT_PAGE', hand: byVisit(`argMaxIf(pathname, ${PLACE}, kind = 'page_view')`) },
  { dimension: 'CHANNEL', hand: byFirst('channel') },
  { dimension: 'REFERRER', hand: byFirst('referrer_domain') },
  { dimension: 'COUNTRY', hand: byFirst('country') },
  { dimension: 'BROWSER', hand: byFirst('browser') },
  { dimension: 'DEVICE_TYPE', hand: byFirst('device_type') },
] as const
