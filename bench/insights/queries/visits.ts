import type { JsonObject } from '@bufbuild/protobuf'
import type { BenchmarkQuery } from '../benchmark-query.ts'
import { events, PLACE, WHOLE, within } from './create-request.ts'

const DAY_MS = 86_400_000
const PAGE_SIZE = 100

/** One of five thousand pages, which one event of 5,000 is on. */
const RARE_PAGE = '/products/page-1000'

/** The newest visits that few others resemble. By hand, every visit is read: no table has their ends. */
export const visitQueries: readonly BenchmarkQuery[] = [
  { name: 'visits/newest', answeredBy: 'visits', request: list([]), hand: newest('1') },
  {
    name: 'visits/rare-page',
    answeredBy: 'visits',
    request: list(['PAGE']),
    hand: newest(`max(pathname = '${RARE_PAGE}')`),
  },
  {
    name: 'visits/rare-ends',
    answeredBy: 'visits',
    request: list(['ENTRY_PAGE', 'EXIT_PAGE']),
    hand: newest(
      `argMinIf(pathname, ${PLACE}, kind = 'page_view') = '${RARE_PAGE}' AND argMaxIf(pathname, ${PLACE}, kind = 'page_view') = '${RARE_PAGE}'`,
    ),
  },
]

/** A page of the visits whose dimensions have the rare page. */
function list(dimensions: readonly string[]): JsonObject {
  return {
    timeRange: { from: new Date(WHOLE.fromMs).toISOString(), to: new Date(WHOLE.toMs).toISOString() },
    filters: dimensions.map((dimension) => ({
      dimension: `DIMENSION_${dimension}`,
      operator: 'FILTER_OPERATOR_EQUALS',
      value: RARE_PAGE,
    })),
    pageSize: PAGE_SIZE,
  }
}

/** The events of each visit of the page; the condition is an aggregate of its events. */
function newest(condition: string): string {
  const around = { fromMs: WHOLE.fromMs - DAY_MS, toMs: WHOLE.toMs + DAY_MS }
  return `SELECT toString(session_id) AS session, count() AS n ${events({ range: around })}
    GROUP BY session_id HAVING ${within('min(time)')} AND ${condition} ORDER BY min(time) DESC, session DESC LIMIT ${PAGE_SIZE}`
}
