import type { BenchmarkQuery } from '../benchmark-query.ts'
import {
  canonicals,
  counted,
  createRequest,
  dayMs,
  events,
  LAST_WEEK,
  PLACE,
  type Range,
  SENT,
  topTen,
  USER,
  WHOLE,
} from './create-request.ts'
import { USERS_PEERS } from './peers/users.ts'

/** Numbers may come as doubles, as integers and as text that is a plain decimal. */
const AMOUNT = `multiIf(mapContains(doubles, 'amount'), doubles['amount'], mapContains(ints, 'amount'), toFloat64(ints['amount']),
  match(strings['amount'], '^-?[0-9]+([.][0-9]+)?$'), toFloat64(strings['amount']), NULL)`

const COUNTRY = [{ property: '$country' }]

/** Numbers over time, and one number over all of it. */
export const trendsQueries: readonly BenchmarkQuery[] = [
  {
    name: 'trends/total',
    request: createRequest({ insightType: 'TRENDS', events: [counted('page_view', 'TOTAL')] }),
    hand: `SELECT ${dayMs('toDate(time)')} AS day, count() ${events({ kinds: ['page_view'] })} GROUP BY day`,
  },
  {
    name: 'trends/three-kinds',
    request: createRequest({
      insightType: 'TRENDS',
      events: ['page_view', 'add_to_cart', 'purchase'].map((kind) => counted(kind, 'TOTAL')),
    }),
    hand: `SELECT kinds.1, day, kinds.2 FROM (
        SELECT ${dayMs('toDate(time)')} AS day, [${['page_view', 'add_to_cart', 'purchase'].map((kind) => `('${kind}', countIf(kind = '${kind}'))`).join(', ')}] AS counts
        ${events({ kinds: ['page_view', 'add_to_cart', 'purchase'] })} GROUP BY day)
      ARRAY JOIN counts AS kinds`,
  },
  uniqueByDay('trends/users', WHOLE),
  uniqueByDay('trends/users-last-week', LAST_WEEK),
  {
    name: 'trends/users-by-country',
    request: createRequest({
      insightType: 'TRENDS',
      events: [counted('page_view', 'UNIQUE_USERS')],
      breakdowns: COUNTRY,
    }),
    hand: topTen(
      `SELECT toString(country) AS value, toDate(time) AS at, ${canonicals(SENT)} AS state
        ${events({ kinds: ['page_view'] })} WHERE NOT cookieless GROUP BY value, at`,
      { merge: 'uniqExactArray', at: dayMs('cell.1') },
    ),
  },
  {
    name: 'trends/total-by-pathname',
    request: createRequest({
      insightType: 'TRENDS',
      events: [counted('page_view', 'TOTAL')],
      breakdowns: [{ property: '$pathname' }],
    }),
    hand: topTen(
      `SELECT pathname AS value, toDate(time) AS at, count() AS state ${events({ kinds: ['page_view'] })} GROUP BY value, at`,
      { merge: 'sum', at: dayMs('cell.1') },
    ),
  },
  {
    name: 'trends/purchases-by-channel',
    request: createRequest({
      insightType: 'TRENDS',
      events: [counted('purchase', 'TOTAL')],
      breakdowns: [{ property: '$channel' }],
    }),
    hand: topTen(
      `SELECT toString(channel) AS value, toDate(time) AS at, count() AS state ${events({ kinds: ['purchase'] })} GROUP BY value, at`,
      { merge: 'sum', at: dayMs('cell.1') },
    ),
  },
  byFirstChannel('trends/purchases-by-entry-channel', 'session'),
  byFirstChannel('trends/purchases-by-first-channel', 'user'),
  {
    name: 'trends/sum-of-amounts',
    request: createRequest({ insightType: 'TRENDS', events: [counted('purchase', 'SUM', 'amount')] }),
    hand: `SELECT ${dayMs('toDate(time)')} AS day, sum(${AMOUNT}) ${events({ kinds: ['purchase'] })} GROUP BY day`,
  },
  {
    name: 'trends/filtered',
    request: createRequest({
      insightType: 'TRENDS',
      events: [counted('page_view', 'TOTAL')],
      filterGroups: [
        {
          filters: [
            { property: 'plan', operator: 'FILTER_OPERATOR_EQUALS', value: 'pro' },
            { property: '$country', operator: 'FILTER_OPERATOR_IN', values: ['AA', 'BA', 'CA'] },
          ],
        },
      ],
    }),
    hand: `SELECT ${dayMs('toDate(time)')} AS day, count() ${events({ kinds: ['page_view'] })}
      WHERE country IN ('AA', 'BA', 'CA') AND strings['plan'] = 'pro' GROUP BY day`,
  },
  {
    name: 'trends/events-per-user',
    request: createRequest({ insightType: 'TRENDS', events: [counted('', 'PER_USER_AVG')] }),
    hand: `SELECT ${dayMs('toDate(time)')} AS day, count() / arrayUniq(${canonicals(SENT)}) ${events()}
      WHERE NOT cookieless GROUP BY day`,
  },
  {
    name: 'segmentation/users',
    request: createRequest({ insightType: 'SEGMENTATION', events: [counted('', 'UNIQUE_USERS')] }),
    hand: `SELECT 'total', arrayUniq(${canonicals(SENT)}) ${events()} WHERE NOT cookieless`,
    peers: USERS_PEERS,
  },
]

function uniqueByDay(name: string, range: Range): BenchmarkQuery {
  return {
    name,
    request: createRequest(
      { insightType: 'TRENDS', events: [counted('page_view', 'UNIQUE_USERS')] },
      { range },
    ),
    hand: `SELECT ${dayMs('toDate(time)')} AS day, arrayUniq(${canonicals(SENT)}) ${events({ range, kinds: ['page_view'] })}
      WHERE NOT cookieless GROUP BY day`,
  }
}

/** Purchases by the channel of the first event of their session or of their user. */
function byFirstChannel(name: string, of: 'session' | 'user'): BenchmarkQuery {
  const source = of === 'session' ? 'SESSION_ENTRY' : 'FIRST_TOUCH'
  const firsts = `SELECT toString(argMin(channel, ${PLACE})) AS value, groupArrayIf(toDate(time), kind = 'purchase') AS days
    ${events()} GROUP BY ${of === 'session' ? 'session_id' : USER} HAVING notEmpty(days)`
  return {
    name,
    request: createRequest({
      insightType: 'TRENDS',
      events: [counted('purchase', 'TOTAL')],
      breakdowns: [{ property: '$channel', source: `PROPERTY_SOURCE_${source}` }],
    }),
    hand: topTen(
      `SELECT value, at, count() AS state FROM (${firsts}) ARRAY JOIN days AS at GROUP BY value, at`,
      { merge: 'sum', at: dayMs('cell.1') },
    ),
  }
}
