import type { BenchmarkQuery } from '../benchmark-query.ts'
import { createRequest, events, MS, step, USER } from './create-request.ts'
import { ANY_ORDER_PEERS, EXCLUSION_PEERS } from './peers/funnel-options.ts'

const PURCHASE = ['page_view', 'add_to_cart', 'purchase']
const DAY_MS = 86_400_000

const SPEC = { insightType: 'FUNNEL', events: PURCHASE.map(step), conversionWindow: '86400s' }

/** The same three steps within a day: without errors in between, in any order, in one browser, and with the times to convert. */
export const funnelOptionQueries: readonly BenchmarkQuery[] = [
  {
    name: 'funnel/exclusions',
    request: createRequest({
      ...SPEC,
      funnel: { exclusions: [{ event: { kind: 'error' }, afterStep: 1, beforeStep: 3 }] },
    }),
    hand: withoutErrorsByHand(),
    peers: EXCLUSION_PEERS,
  },
  {
    name: 'funnel/any-order',
    request: createRequest({ ...SPEC, funnel: { order: 'ORDER_ANY' } }),
    hand: anyOrderByHand(),
    peers: ANY_ORDER_PEERS,
  },
  {
    name: 'funnel/hold-constant',
    request: createRequest({ ...SPEC, funnel: { holdConstant: ['$browser'] } }),
    hand: inOneBrowserByHand(),
  },
  {
    name: 'funnel/time-to-convert',
    request: createRequest({ ...SPEC, funnel: { view: 'VIEW_TIME_TO_CONVERT' } }),
    hand: timeToConvertByHand(),
  },
]

/** Users by how many steps they reached, as the totals of the steps. */
function totals(levels: string): string {
  return `SELECT arrayJoin([1, 2, 3]) AS step, countIf(level >= step) FROM (${levels}) GROUP BY step`
}

/**
 * Going backwards, each event learns of the next purchase, of the next add_to_cart with the purchase that follows it, and of
 * the next error. An event is one number, its time with its kind in the last two bits. Errors come first among the events
 * of a millisecond, so the next one after a start is later than it.
 */
function withoutErrorsByHand(): string {
  const ms = (event: string) => `intDiv(${event}, 4)`
  const reaches = (place: number) =>
    `x.${place} % 4 = ${place} AND ${ms(`x.${place}`)} - ${ms('x.1')} <= ${DAY_MS}`
  const isVoid = (level: string) =>
    `x.4 % 4 = 0 AND if(${level} = 3, ${ms('x.4')} < ${ms('x.3')}, ${ms('x.4')} - ${ms('x.1')} <= ${DAY_MS})`
  return totals(`
    SELECT ${USER} AS user,
      arrayReverseSort(groupArray(${MS} * 4 + multiIf(kind = 'error', 0, kind = 'page_view', 1, kind = 'add_to_cart', 2, 3))) AS latest,
      arrayFill(x -> x % 4 = 3, latest) AS purchases,
      arrayFill((x, event) -> event % 4 = 2, arrayZip(latest, purchases), latest) AS carts,
      arrayFilter(x -> x.1 % 4 = 1, arrayMap((event, x, error) -> (event, x.1, x.2, error), latest, carts, arrayFill(x -> x % 4 = 0, latest))) AS tried,
      arrayMap(x -> multiIf(NOT (${reaches(2)}), 1, NOT (${reaches(3)}), 2, 3), tried) AS levels,
      arrayMax((x, each) -> if(${isVoid('each')}, 0, each), tried, levels) AS level
    ${events({ kinds: [...PURCHASE, 'error'] })} WHERE NOT cookieless GROUP BY user HAVING notEmpty(tried)`)
}

/** Each event has the next one of every kind, its own kind included: as many as follow within a day were taken. */
function anyOrderByHand(): string {
  const follows = (next: string, kind: number) =>
    `(${next} % 4 = ${kind} AND ${next} <= bitOr(event, 3) + ${4 * DAY_MS})`
  return totals(`
    SELECT ${USER} AS user,
      arrayReverseSort(groupArray(${MS} * 4 + multiIf(kind = 'page_view', 0, kind = 'add_to_cart', 1, 2))) AS latest,
      arrayMax((event, x, y, z) -> ${follows('x', 0)} + ${follows('y', 1)} + ${follows('z', 2)}, latest,
        arrayFill(x -> x % 4 = 0, latest), arrayFill(x -> x % 4 = 1, latest), arrayFill(x -> x % 4 = 2, latest)) AS level
    ${events({ kinds: PURCHASE })} WHERE NOT cookieless GROUP BY user`)
}

/** After each event, the latest start of an attempt that has filled a step, as in a plain funnel, for each browser of a user. */
function inOneBrowserByHand(): string {
  const filled = (place: number, before: string) =>
    `arrayFill(x -> x > 0, arrayMap((e, start) -> if(e % 4 = ${place} AND start > 0 AND e - start <= ${DAY_MS * 4 + place}, start, 0), events, ${before}))`
  return totals(`
    SELECT user, max(reached) AS level FROM (
      SELECT ${USER} AS user,
        arraySort(groupArray(${MS} * 4 + multiIf(kind = 'page_view', 0, kind = 'add_to_cart', 1, 2))) AS events,
        arrayFill(x -> x > 0, arrayMap(e -> if(e % 4 = 0, e, 0), events)) AS viewed,
        ${filled(1, 'viewed')} AS added, ${filled(2, 'added')} AS bought,
        multiIf(bought[-1] > 0, 3, added[-1] > 0, 2, viewed[-1] > 0, 1, 0) AS reached
      ${events({ kinds: PURCHASE })} WHERE NOT cookieless AND browser != '' GROUP BY user, browser
    ) GROUP BY user`)
}

/** The earliest full attempt of each user, and the spread of its time over bins of the same width. */
function timeToConvertByHand(): string {
  const ms = (event: string) => `intDiv(${event}, 4)`
  const reaches = (place: number) =>
    `x.${place} % 4 = ${place - 1} AND ${ms(`x.${place}`)} - ${ms('x.1')} <= ${DAY_MS}`
  const users = `
    SELECT ${USER} AS user,
      arrayReverseSort(groupArray(${MS} * 4 + multiIf(kind = 'page_view', 0, kind = 'add_to_cart', 1, 2))) AS latest,
      arrayFill(x -> x % 4 = 2, latest) AS purchases,
      arrayFill((x, event) -> event % 4 = 1, arrayZip(latest, purchases), latest) AS carts,
      arrayFilter(x -> x.1 % 4 = 0, arrayMap((event, x) -> (event, x.1, x.2), latest, carts)) AS tried,
      arrayFilter(x -> ${reaches(2)}, tried) AS half, arrayFilter(x -> ${reaches(3)}, half) AS full,
      multiIf(notEmpty(full), 3, notEmpty(half), 2, 1) AS level, toInt64(${ms('full[-1].3')} - ${ms('full[-1].1')}) AS took
    ${events({ kinds: PURCHASE })} WHERE NOT cookieless GROUP BY user HAVING notEmpty(tried)`
  const bin = 'least(intDiv((ms - times[1]) * bins, greatest(times[-1] - times[1], 1)), bins - 1)'
  return `
    SELECT if(figure.1 = '', toString(number), figure.1), figure.2 FROM (
      SELECT number, arrayJoin(if(number > 3, arrayConcat([('users', toFloat64(n)), ('avg', arrayAvg(times) / 1000),
          ('median', (times[intDiv(n + 1, 2)] + times[intDiv(n, 2) + 1]) / 2000), ('p95', times[toUInt64(ceil(0.95 * n))] / 1000)],
          arrayMap((each, place) -> (concat('bin ', toString(place)), toFloat64(each)), counts, arrayEnumerate(counts))),
        [('', toFloat64(users[number]))])) AS figure
      FROM (SELECT [count(), countIf(level >= 2), countIf(level = 3)] AS users, arraySort(groupArrayIf(took, level = 3)) AS times,
          length(times) AS n, toInt64(least(60, ceil(cbrt(n)))) AS bins,
          arrayMap(place -> arrayCount(ms -> ${bin} = place, times), range(bins)) AS counts FROM (${users}))
      ARRAY JOIN [1, 2, 3, 4] AS number)`
}
