import type { JsonObject } from '@bufbuild/protobuf'
import { WHOLE } from '../insights/queries/create-request.ts'
import { QUERIES } from '../insights/queries/queries.ts'

/** A question that a console asks. */
export interface Question {
  readonly name: string
  readonly method: string
  readonly body: JsonObject
}

/** Of the insights benchmark, one of each kind. */
const INSIGHTS = {
  'trends/total': 'trend: page views by day',
  'trends/users': 'trend: users by day',
  'top/pathnames': 'ranking: paths',
  'funnel/purchase': 'funnel of three steps',
  'retention/by-day': 'retention by day',
  'user-flow/kinds': 'user flow',
  'sessions/number': 'sessions by day',
} as const

const WEB = 'millrace.web.v1.WebAnalyticsService'
const SHOWN = {
  timeRange: { from: new Date(WHOLE.fromMs).toISOString(), to: new Date(WHOLE.toMs).toISOString() },
  granularity: 'GRANULARITY_DAY',
}

/** One of each kind, over all sixty days. */
export const QUESTIONS: readonly Question[] = [
  ...Object.entries(INSIGHTS).map(([query, name]) => ({
    name,
    method: 'shared.insights.v1.InsightsService/Query',
    body: requestOf(query),
  })),
  { name: 'web overview', method: `${WEB}/QueryOverview`, body: SHOWN },
  {
    name: 'web table: entry pages',
    method: `${WEB}/QueryTable`,
    body: { ...SHOWN, dimension: 'DIMENSION_ENTRY_PAGE' },
  },
]

function requestOf(name: string): JsonObject {
  const query = QUERIES.find((candidate) => candidate.name === name)
  if (!query) throw new Error(`the insights benchmark has no query ${name}`)
  return query.request
}
