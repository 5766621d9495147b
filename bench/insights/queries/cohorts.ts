import type { JsonObject } from '@bufbuild/protobuf'
import type { BenchmarkQuery } from '../benchmark-query.ts'
import { canonicals, counted, createRequest, dayMs, events, SENT, USER, WHOLE } from './create-request.ts'
import { COHORT_PEERS } from './peers/cohorts.ts'

const DAY_MS = 86_400_000
const BUYERS = 'buyers'

/** The last days, with the one that the traffic ends before: the instant of the question is its start. */
const since = (days: number): string =>
  `time >= fromUnixTimestamp64Milli(${WHOLE.toMs - (days - 1) * DAY_MS}, 'UTC')`

const performed = (kind: string, least: number, window: JsonObject): JsonObject => ({
  performed: { event: { kind }, count: { operator: 'OPERATOR_AT_LEAST', value: String(least) }, window },
})

const DEFINITION: JsonObject = {
  group: {
    members: [
      { condition: performed('purchase', 1, { lastDays: 30 }) },
      { condition: performed('search', 3, { ever: true }) },
      { condition: { ...performed('error', 1, { lastDays: 7 }), negate: true } },
    ],
  },
}

/** Users who bought lately, searched often, and met no error of late. */
const MEMBERS = `SELECT ${USER} AS user ${events({ kinds: ['purchase', 'search', 'error'] })} WHERE NOT cookieless GROUP BY user
  HAVING countIf(kind = 'purchase' AND ${since(30)}) >= 1 AND countIf(kind = 'search') >= 3 AND countIf(kind = 'error' AND ${since(7)}) = 0`

const SPEC = { insightType: 'TRENDS', events: [counted('page_view', 'UNIQUE_USERS')] }

/** The users of a cohort of three conditions by day. */
export const cohortQueries: readonly BenchmarkQuery[] = [
  {
    name: 'cohorts/three-conditions',
    request: createRequest({ ...SPEC, cohorts: [{ cohortId: BUYERS }] }),
    cohorts: { [BUYERS]: DEFINITION },
    hand: `SELECT ${dayMs('toDate(time)')} AS day, arrayUniq(${canonicals(SENT)}) ${events({ kinds: ['page_view'] })}
      WHERE NOT cookieless AND ${USER} IN (${MEMBERS}) GROUP BY day`,
    peers: COHORT_PEERS,
    apart: { request: createRequest(SPEC), scan: `SELECT 'total', count() FROM (${MEMBERS})` },
  },
]
