import type { Days } from '@domain/calendar.ts'
import type { CohortFilterDraft } from '../../cohorts/cohort-filters.ts'
import { type DimensionName, propertyOf } from './dimensions.ts'
import type { MetricName } from './metrics.ts'
import type { Interval } from './view-state.ts'

/**
 * The context of a new insight. Visits become its sessions, with the cohorts of the page but without its filters, because an
 * insight filters events and not visits.
 */
export interface InsightContext {
  readonly projectId: string
  readonly days: Days
  readonly interval: Interval
  readonly cohorts: readonly CohortFilterDraft[]
}

/** The measures of visits that an insight has too. */
const SESSION_METRICS: Partial<Readonly<Record<MetricName, string>>> = {
  visits: 'SESSION_METRIC_SESSIONS',
  bounce: 'SESSION_METRIC_BOUNCE_RATE',
  duration: 'SESSION_METRIC_AVG_DURATION',
}

const PAGE_METRICS: Partial<Readonly<Record<DimensionName, string>>> = {
  entry: 'SESSION_METRIC_ENTRY',
  exit: 'SESSION_METRIC_EXIT',
}

/** The address of the insight with the same numbers as a measure; `undefined` where no insight has them. */
export function insightOfMetric(metric: MetricName, context: InsightContext): string | undefined {
  const session = SESSION_METRICS[metric]
  return session && addressOf({ session: { metric: session } }, context)
}

/** The address of the insight with the visits of each value of a dimension; `undefined` where no insight has them. */
export function insightOfDimension(dimension: DimensionName, context: InsightContext): string | undefined {
  const ofPages = PAGE_METRICS[dimension]
  if (ofPages) {
    const session = { metric: ofPages, scope: { kind: 'page_view' } }
    return addressOf({ session, breakdowns: [{ property: '$pathname' }] }, context)
  }
  const property = propertyOf(dimension)
  if (property === undefined) return undefined
  return addressOf({ session: { metric: 'SESSION_METRIC_SESSIONS' }, breakdowns: [{ property }] }, context)
}

function addressOf(spec: object, { projectId, days, interval, cohorts }: InsightContext): string {
  const ofCohorts = cohorts.length > 0 && { cohorts }
  const query = new URLSearchParams({
    spec: JSON.stringify({ insightType: 'INSIGHT_TYPE_TRENDS', ...spec, ...ofCohorts, excludeBots: true }),
    range: `${days.from}..${days.to}`,
    granularity: `GRANULARITY_${interval.toUpperCase()}`,
  })
  return `/p/${projectId}/insights?${query}`
}
