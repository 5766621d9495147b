import type { BenchmarkQuery } from '../benchmark-query.ts'
import { createRequest, events, PLACE, step, topTen, USER, WHOLE } from './create-request.ts'
import { RETENTION_PEERS } from './peers/retention.ts'

const DAY_MS = 86_400_000
const WEEK_MS = 7 * DAY_MS
const SPEC = { insightType: 'RETENTION', events: [step('page_view')] }

/** 22 August 2026 is a Saturday: the first week starts before the range. */
const FIRST_MONDAY_MS = WHOLE.fromMs - 5 * DAY_MS

/** A set of buckets is a number with a bit for each; bit 63 marks the users of the cohort. */
const BITS = 'arrayJoin(bitPositionsToArray(bitOr(returns, bitShiftLeft(toUInt64(1), 63))))'

/** Users who return by day, the same on or after each day, after each 24 hours and by country, and users who return to buy by week. */
export const retentionQueries: readonly BenchmarkQuery[] = [
  {
    name: 'retention/by-day',
    request: createRequest(SPEC),
    hand: matrix(visits(''), { originMs: WHOLE.fromMs, widthMs: DAY_MS }),
    peers: RETENTION_PEERS,
  },
  {
    name: 'retention/on-or-after',
    request: createRequest({ ...SPEC, retention: { returnRule: 'RETURN_RULE_ON_OR_AFTER' } }),
    hand: staysByHand(),
  },
  {
    name: 'retention/elapsed',
    request: createRequest({ ...SPEC, retention: { periods: 'PERIODS_ELAPSED' } }),
    hand: matrix(elapsed(), { originMs: WHOLE.fromMs, widthMs: DAY_MS }),
  },
  {
    name: 'retention/by-country',
    request: createRequest({ ...SPEC, breakdowns: [{ property: '$country' }] }),
    hand: topTen(
      `SELECT toString(country) AS value, (cohort, bit) AS at, count() AS state
        FROM (SELECT country, cohort, ${BITS} AS bit FROM (${visits(`, argMin(country, ${PLACE}) AS country`)}))
        GROUP BY value, at`,
      {
        merge: 'sum',
        order: 'sumIf(state, at.2 = 63)',
        at: `${WHOLE.fromMs} + cell.1.1 * ${DAY_MS}, if(cell.1.2 = 63, 'size', toString(${WHOLE.fromMs} + cell.1.2 * ${DAY_MS}))`,
      },
    ),
  },
  {
    name: 'retention/purchase-by-week',
    request: createRequest(
      { insightType: 'RETENTION', events: [step('page_view'), step('purchase')] },
      { granularity: 'WEEK' },
    ),
    hand: matrix(purchases(), { originMs: FIRST_MONDAY_MS, widthMs: WEEK_MS }),
  },
]

/** The cells of all cohorts. */
function matrix(
  users: string,
  { originMs, widthMs }: { readonly originMs: number; readonly widthMs: number },
): string {
  return `SELECT ${originMs} + cohort * ${widthMs}, if(bit = 63, 'size', toString(${originMs} + bit * ${widthMs})), users
    FROM (SELECT cohort, ${BITS} AS bit, count() AS users FROM (${users}) GROUP BY cohort, bit)`
}

/** The first bucket of users and a set of all. */
function visits(more: string): string {
  const bucket = `toUInt8(toRelativeDayNum(time) - ${WHOLE.fromMs / DAY_MS})`
  return `SELECT ${USER} AS user, groupBitOr(bitShiftLeft(toUInt64(1), ${bucket})) AS returns,
    bitCount(bitXor(returns, returns - 1)) - 1 AS cohort${more}
    ${events({ kinds: ['page_view'] })} WHERE NOT cookieless GROUP BY user`
}

/** Days of 24 hours after the first page view, as bits from that of its day on. */
function elapsed(): string {
  return `SELECT arrayMin(seen) AS first, intDiv(first - ${WHOLE.fromMs}, ${DAY_MS}) AS cohort,
      arrayReduce('groupBitOr', arrayMap(x -> bitShiftLeft(toUInt64(1), cohort + intDiv(x - first, ${DAY_MS})), seen)) AS returns
    FROM (SELECT ${USER} AS user, groupArray(toUnixTimestamp64Milli(time)) AS seen
      ${events({ kinds: ['page_view'] })} WHERE NOT cookieless GROUP BY user)`
}

/** Users by their first and last bucket, who count for all buckets between them. */
function staysByHand(): string {
  const bucket = `toUInt8(toRelativeDayNum(time) - ${WHOLE.fromMs / DAY_MS})`
  const users = `SELECT ${USER} AS user, min(${bucket}) AS cohort, max(${bucket}) AS last
    ${events({ kinds: ['page_view'] })} WHERE NOT cookieless GROUP BY user`
  const spans = `SELECT cohort, last, count() AS users FROM (${users}) GROUP BY cohort, last`
  return `SELECT ${WHOLE.fromMs} + cohort * ${DAY_MS}, if(bit = 63, 'size', toString(${WHOLE.fromMs} + bit * ${DAY_MS})), sum(users)
    FROM (SELECT cohort, arrayJoin(arrayPushBack(range(cohort, last + 1), 63)) AS bit, users FROM (${spans})) GROUP BY cohort, bit`
}

/** A purchase in the bucket of the first page view may be earlier than it: their times are kept. */
function purchases(): string {
  const bucket = (ms: string) => `intDiv(${ms} - ${FIRST_MONDAY_MS}, ${WEEK_MS})`
  return `SELECT ${bucket('first')} AS cohort,
      arrayReduce('groupBitOr', arrayMap(x -> bitShiftLeft(toUInt64(1), ${bucket('x')}), arrayFilter(x -> x >= first, seen))) AS returns
    FROM (SELECT ${USER} AS user, toUnixTimestamp64Milli(minIf(time, kind = 'page_view')) AS first,
      groupArrayIf(toUnixTimestamp64Milli(time), kind = 'purchase') AS seen, countIf(kind = 'page_view') AS started
      ${events({ kinds: ['page_view', 'purchase'] })} WHERE NOT cookieless GROUP BY user HAVING started > 0)`
}
