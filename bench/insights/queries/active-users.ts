import type { BenchmarkQuery } from '../benchmark-query.ts'
import { createRequest, events, LAST_WEEK, step, USER, WHOLE, within } from './create-request.ts'
import { person, personsOf } from './peers/users.ts'

const DAY_MS = 86_400_000

/** The day before the last week is bit 0. */
const BEFORE_DAY = LAST_WEEK.fromMs / DAY_MS - 1
const DAYS_OF_WEEK = 7

/** States of users by day, and users by their number of active days. */
export const activeUserQueries: readonly BenchmarkQuery[] = [
  {
    name: 'lifecycle/by-day',
    request: createRequest({ insightType: 'LIFECYCLE', events: [step('page_view')] }, { range: LAST_WEEK }),
    hand: lifecycle(),
  },
  {
    name: 'stickiness/by-day',
    request: createRequest({ insightType: 'STICKINESS', events: [step('page_view')] }),
    hand: `SELECT bitCount(days) AS buckets, count() FROM (
        SELECT groupBitOr(bitShiftLeft(toUInt64(1), toUInt8(toRelativeDayNum(time) - ${WHOLE.fromMs / DAY_MS}))) AS days
        ${events({ kinds: ['page_view'] })} WHERE NOT cookieless GROUP BY ${USER})
      GROUP BY buckets`,
    peers: [
      {
        peer: 'posthog',
        sql: `SELECT days, count() FROM (
            SELECT ${person('e')} AS actor, count(DISTINCT toStartOfDay(e.timestamp)) AS days FROM ${personsOf('e')}
            WHERE e.team_id = 1 AND e.event = 'page_view' AND ${within('e.timestamp')} AND NOT e.cookieless GROUP BY actor)
          GROUP BY days`,
      },
    ],
  },
]

/** The days of each user as bits, of which the states are sums and differences with the bits a day later. */
function lifecycle(): string {
  const day = `(toInt64(toRelativeDayNum(time)) - ${BEFORE_DAY})`
  const inWeek = `toUInt64(${2 ** (DAYS_OF_WEEK + 1) - 2})`
  const users = `SELECT groupBitOr(if(${day} < 0, 0, bitShiftLeft(toUInt64(1), toUInt8(greatest(${day}, 0))))) AS days,
      if(min(${day}) < 0, 0, bitShiftLeft(toUInt64(1), toUInt8(greatest(min(${day}), 0)))) AS born
    ${events({ range: { fromMs: 0, toMs: LAST_WEEK.toMs }, kinds: ['page_view'] })} WHERE NOT cookieless GROUP BY ${USER}`
  const states = [
    ['NEW', 'bitAnd(days, born)'],
    ['RETURNING', 'bitAnd(days, later)'],
    ['RESURRECTED', 'bitAnd(days, bitNot(bitOr(later, born)))'],
    ['DORMANT', 'bitAnd(later, bitNot(days))'],
  ].map(([name, bits]) => `('${name}', bitAnd(${bits}, ${inWeek}))`)
  return `SELECT state.1 AS name, (${BEFORE_DAY} + arrayJoin(bitPositionsToArray(state.2))) * ${DAY_MS} AS at, count() FROM (
      SELECT arrayJoin([${states.join(', ')}]) AS state FROM (SELECT days, born, bitShiftLeft(days, 1) AS later FROM (${users})))
    GROUP BY name, at`
}
