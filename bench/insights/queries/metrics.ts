import type { BenchmarkQuery } from '../benchmark-query.ts'
import { counted, createRequest, dayMs, events, USER, WHOLE } from './create-request.ts'

/** Numbers may come as doubles, as integers and as text that is a plain decimal. */
const AMOUNT = `multiIf(mapContains(doubles, 'amount'), doubles['amount'], mapContains(ints, 'amount'), toFloat64(ints['amount']),
  match(strings['amount'], '^-?[0-9]+([.][0-9]+)?$'), toFloat64(strings['amount']), NULL)`

const DAY = dayMs('toDate(time)')

/** The number of the last day of the traffic. */
const LAST_DAY = Math.floor((WHOLE.toMs - 1) / 86_400_000)

const TWO_KINDS = [counted('purchase', 'TOTAL'), counted('page_view', 'TOTAL')]
const OF_TWO_KINDS = events({ kinds: ['purchase', 'page_view'] })

/** Percentiles, distinct values, sessions, rolling users and formulas. */
export const metricQueries: readonly BenchmarkQuery[] = [
  {
    name: 'metrics/median-of-amounts',
    request: createRequest({ insightType: 'TRENDS', events: [counted('purchase', 'MEDIAN', 'amount')] }),
    hand: `SELECT day, (middle[1] + middle[2]) / 2 FROM (
        SELECT ${DAY} AS day, quantilesExact(0.49999999999, 0.5)(${AMOUNT}) AS middle ${events({ kinds: ['purchase'] })} GROUP BY day)`,
  },
  {
    name: 'metrics/high-amounts',
    request: createRequest({ insightType: 'TRENDS', events: [counted('purchase', 'P95', 'amount')] }),
    hand: `SELECT ${DAY} AS day, quantileExact(0.94999999999)(${AMOUNT}) ${events({ kinds: ['purchase'] })} GROUP BY day`,
  },
  {
    name: 'metrics/distinct-pathnames',
    request: createRequest({
      insightType: 'TRENDS',
      events: [counted('page_view', 'DISTINCT_VALUES', '$pathname')],
    }),
    hand: `SELECT ${DAY} AS day, uniqExactIf(pathname, pathname != '') ${events({ kinds: ['page_view'] })} GROUP BY day`,
  },
  {
    name: 'metrics/sessions-by-day',
    request: createRequest({ insightType: 'TRENDS', events: [counted('page_view', 'UNIQUE_SESSIONS')] }),
    hand: `SELECT ${DAY} AS day, uniqExact(session_id) ${events({ kinds: ['page_view'] })} GROUP BY day`,
  },
  {
    name: 'metrics/rolling-week',
    request: createRequest({ insightType: 'TRENDS', events: [counted('page_view', 'ROLLING_7_DAY_USERS')] }),
    hand: `SELECT toInt64(at) * 86400000, count() FROM (
        SELECT arrayJoin(arrayDistinct(arrayFlatten(arrayMap(
          day -> range(day, least(day + 7, toUInt32(${LAST_DAY + 1}))), groupUniqArray(toUInt32(toDate(time))))))) AS at
        ${events({ kinds: ['page_view'] })} WHERE NOT cookieless GROUP BY ${USER})
      GROUP BY at`,
  },
  {
    name: 'metrics/ratio',
    request: createRequest({
      insightType: 'TRENDS',
      events: TWO_KINDS,
      formulas: [{ expression: '100 * A / B' }],
    }),
    hand: `SELECT line.1, day, line.2 FROM (
        SELECT ${DAY} AS day, countIf(kind = 'purchase') AS a, countIf(kind = 'page_view') AS b,
          [('purchase', toFloat64(a)), ('page_view', toFloat64(b)), ('100 * A / B', if(b = 0, 0., 100 * a / b))] AS lines
        ${OF_TWO_KINDS} GROUP BY day)
      ARRAY JOIN lines AS line`,
  },
  {
    name: 'metrics/ratio-by-channel',
    request: createRequest({
      insightType: 'TRENDS',
      events: TWO_KINDS,
      formulas: [{ expression: '100 * A / B' }],
      breakdowns: [{ property: '$channel' }],
      breakdownLimit: 100,
    }),
    hand: `SELECT line.1, value, day, line.2 FROM (
        SELECT toString(channel) AS value, ${DAY} AS day, countIf(kind = 'purchase') AS a, countIf(kind = 'page_view') AS b,
          [('purchase', toFloat64(a)), ('page_view', toFloat64(b)), ('100 * A / B', if(b = 0, 0., 100 * a / b))] AS lines
        ${OF_TWO_KINDS} GROUP BY value, day)
      ARRAY JOIN lines AS line`,
  },
]
