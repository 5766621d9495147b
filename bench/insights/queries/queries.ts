import type { BenchmarkQuery } from '../benchmark-query.ts'
import { activeUserQueries } from './active-users.ts'
import { cohortQueries } from './cohorts.ts'
import { funnelQueries } from './funnel.ts'
import { funnelOptionQueries } from './funnel-options.ts'
import { metricQueries } from './metrics.ts'
import { rankingQueries } from './rankings.ts'
import { retentionQueries } from './retention.ts'
import { sessionQueries } from './sessions.ts'
import { trendsQueries } from './trends.ts'
import { userFlowQueries } from './user-flow.ts'
import { visitQueries } from './visits.ts'

/** Every query, by type of insight. */
export const QUERIES: readonly BenchmarkQuery[] = [
  ...trendsQueries,
  ...metricQueries,
  ...sessionQueries,
  ...funnelQueries,
  ...funnelOptionQueries,
  ...retentionQueries,
  ...activeUserQueries,
  ...cohortQueries,
  ...userFlowQueries,
  ...rankingQueries,
  ...visitQueries,
]
