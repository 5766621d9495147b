import type { BenchmarkQuery } from '../benchmark-query.ts'
import { createRequest, events, ID_HALF, MS, step, topTen, USER } from './create-request.ts'
import { PURCHASE_PEERS, REPEATED_PEERS, TIMED_PEERS } from './peers/funnel.ts'

const PURCHASE = ['page_view', 'add_to_cart', 'purchase']
const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

const SPEC = { insightType: 'FUNNEL', events: PURCHASE.map(step), conversionWindow: '86400s' }

const BOUNDS = [
  ['0-30s', 0, 30],
  ['30s-2m', 30, 120],
  ['2-5m', 120, 300],
  ['5-15m', 300, 900],
  ['15-60m', 900, 3600],
  ['1-6h', 3600, 21_600],
  ['6-24h', 21_600, 86_401],
] as const

/** Steps of different kinds within a day; the same with times, by country and in strict order; and a repeated step. */
export const funnelQueries: readonly BenchmarkQuery[] = [
  { name: 'funnel/purchase', request: createRequest(SPEC), hand: purchaseByHand(), peers: PURCHASE_PEERS },
  {
    name: 'funnel/timed',
    request: createRequest({ ...SPEC, includeStepTiming: true }),
    hand: timedByHand(),
    peers: TIMED_PEERS,
  },
  {
    name: 'funnel/by-country',
    request: createRequest({ ...SPEC, breakdowns: [{ property: '$country' }] }),
    hand: byCountryByHand(),
  },
  {
    name: 'funnel/strict',
    request: createRequest({ ...SPEC, funnel: { order: 'ORDER_STRICT' } }),
    hand: strictByHand(),
  },
  {
    name: 'funnel/repeated-step',
    request: createRequest({
      insightType: 'FUNNEL',
      events: ['page_view', 'page_view', 'purchase'].map(step),
      conversionWindow: '3600s',
    }),
    hand: repeatedByHand(),
    peers: REPEATED_PEERS,
  },
]

/**
 * After each event, the latest start of an attempt that has filled a step: page views start one, and a step takes over
 * the start of the step before it, within the window. An event is one number, its time with its step in the last bits.
 */
function purchaseByHand(): string {
  const filled = (step: number, before: string) =>
    `arrayFill(x -> x > 0, arrayMap((e, start) -> if(e % 4 = ${step} AND start > 0 AND e - start <= ${DAY_MS * 4 + step}, start, 0), events, ${before}))`
  return `
    SELECT arrayJoin([1, 2, 3]) AS step, countIf(level >= step) FROM (
      SELECT ${USER} AS user,
        arraySort(groupArray(${MS} * 4 + multiIf(kind = 'page_view', 0, kind = 'add_to_cart', 1, 2))) AS events,
        arrayFill(x -> x > 0, arrayMap(e -> if(e % 4 = 0, e, 0), events)) AS viewed,
        ${filled(1, 'viewed')} AS added, ${filled(2, 'added')} AS bought,
        multiIf(bought[-1] > 0, 3, added[-1] > 0, 2, viewed[-1] > 0, 1, 0) AS level
      ${events({ kinds: PURCHASE })} WHERE NOT cookieless GROUP BY user
    ) GROUP BY step`
}

/**
 * The attempt that counts of each user, as `level, start, to_second, to_third`. No event fills two steps here: going
 * backwards, each event learns of the next purchase, then of the next add_to_cart with the purchase that follows it. An
 * event is one number, its time with its step (from 0) in the last two bits. Attempts are in descending order.
 */
function attempts(more: string): string {
  const reaches = (step: number) =>
    `x.${step} % 4 = ${step - 1} AND intDiv(x.${step}, 4) - intDiv(x.1, 4) <= ${DAY_MS}`
  return `
    SELECT *, arrayFilter(x -> ${reaches(2)}, tried) AS half, arrayFilter(x -> ${reaches(3)}, half) AS full,
      multiIf(notEmpty(full), 3, notEmpty(half), 2, 1) AS level,
      multiIf(level = 3, full[-1], level = 2, half[-1], tried[-1]) AS best, best.1 AS start,
      toInt64(intDiv(best.2, 4) - intDiv(best.1, 4)) AS to_second, toInt64(intDiv(best.3, 4) - intDiv(best.2, 4)) AS to_third
    FROM (
      SELECT ${USER} AS user${more},
        arrayReverseSort(groupArray(${MS} * 4 + multiIf(kind = 'page_view', 0, kind = 'add_to_cart', 1, 2))) AS latest,
        arrayFill(x -> x % 4 = 2, latest) AS purchases,
        arrayFill((x, event) -> event % 4 = 1, arrayZip(latest, purchases), latest) AS carts,
        arrayMap((event, x) -> (event, x.1, x.2), latest, carts) AS chains,
        arrayFilter(x -> x.1 % 4 = 0, chains) AS tried
      ${events({ kinds: PURCHASE })} WHERE NOT cookieless GROUP BY user)
    WHERE notEmpty(tried)`
}

function timedByHand(): string {
  const distribution = BOUNDS.map(
    ([label, from, to]) => `('${label}', toFloat64(arrayCount(x -> x >= ${from}000 AND x < ${to}000, took)))`,
  )
  const figures = `arrayConcat([('total', toFloat64(users))], if(step = 1, [], [('avg', arrayAvg(took) / 1000),
    ('median', (took[intDiv(users + 1, 2)] + took[intDiv(users, 2) + 1]) / 2000),
    ('p95', took[toUInt64(ceil(0.95 * users))] / 1000), ${distribution.join(', ')}]))`
  return `SELECT if(figure.1 = 'total', toString(step), concat(toString(step), '|', figure.1)), figure.2 FROM (
    SELECT step, length(took) AS users, arrayJoin(${figures}) AS figure
    FROM (SELECT groupArray(toInt64(0)) AS first, arraySort(groupArrayIf(to_second, level >= 2)) AS second,
      arraySort(groupArrayIf(to_third, level = 3)) AS third FROM (${attempts('')}))
    ARRAY JOIN [first, second, third] AS took, [1, 2, 3] AS step)`
}

/** The country is that of the start; of two starts in one millisecond the one with the lower id counts. */
function byCountryByHand(): string {
  const starts = `, groupArrayIf((${MS} * 4, ${ID_HALF}, country), kind = 'page_view') AS starts`
  return topTen(
    `SELECT toString(arrayMin(arrayFilter(x -> x.1 = start, starts)).3) AS value, arrayJoin([1, 2, 3]) AS at, countIf(level >= at) AS state
      FROM (${attempts(starts)}) GROUP BY value, at`,
    { merge: 'sum', order: 'max(state)', at: 'cell.1' },
  )
}

/** Each event beside the two that follow it, of any kind. */
function strictByHand(): string {
  const follows = (place: number) =>
    `x.${place} % 4 = ${place - 1} AND intDiv(x.${place}, 4) - intDiv(x.1, 4) <= ${DAY_MS}`
  return `
    SELECT arrayJoin([1, 2, 3]) AS step, countIf(level >= step) FROM (
      SELECT ${USER} AS user,
        arraySort(groupArray(${MS} * 4 + multiIf(kind = 'page_view', 0, kind = 'add_to_cart', 1, kind = 'purchase', 2, 3))) AS events,
        arrayMap((x, y, z) -> (x, y, z), events, arrayShiftLeft(events, 1), arrayShiftLeft(events, 2)) AS followed,
        arrayFilter(x -> x.1 % 4 = 0, followed) AS started,
        arrayMax(x -> multiIf(NOT (${follows(2)}), 1, ${follows(3)}, 3, 2), started) AS level
      ${events()} WHERE NOT cookieless GROUP BY user HAVING notEmpty(started)
    ) GROUP BY step`
}

/**
 * Each event has the page view before it, and a purchase the start that the last page view before it has. An event is
 * one number, its time with 1 for a purchase in the last bit.
 */
function repeatedByHand(): string {
  const near = (start: string) => `${start} > 0 AND ${start} % 2 = 0 AND x - ${start} <= ${2 * HOUR_MS + 1}`
  return `
    SELECT arrayJoin([1, 2, 3]) AS step, countIf(level >= step) FROM (
      SELECT ${USER} AS user, arraySort(groupArray(${MS} * 2 + (kind = 'purchase'))) AS e,
        arrayShiftRight(arrayFill(x -> x % 2 = 0, e), 1) AS before,
        arrayFill((start, x) -> x % 2 = 0, before, e) AS starts,
        multiIf(
          arrayExists((x, start) -> x % 2 = 1 AND ${near('start')}, e, starts), 3,
          arrayExists((x, start) -> x % 2 = 0 AND ${near('start')}, e, before), 2,
          arrayExists(x -> x % 2 = 0, e), 1, 0) AS level
      ${events({ kinds: ['page_view', 'purchase'] })} WHERE NOT cookieless GROUP BY user
    ) GROUP BY step`
}
