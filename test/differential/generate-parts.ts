import type { MessageInitShape } from '@bufbuild/protobuf'
import {
  AggregationType,
  type EventQuerySchema,
} from '../../src/contract/gen/shared/insights/v1/event_query_pb.js'
import { SessionMetric } from '../../src/contract/gen/shared/insights/v1/session_query_pb.js'
import type { Prng } from '../../src/kernel/prng.ts'
import { generateEventFilter, generateProperty } from './generate-filters.ts'
import type { GeneratedWorld } from './generate-world.ts'
import type { Spec } from './insight-type.ts'
import { EVENT_NAMES, EXACT_NAMES } from './vocabulary.ts'

type Query = Exclude<MessageInitShape<typeof EventQuerySchema>, { $typeName: string }>

/** Aggregations that count. */
export const COUNTS = [
  AggregationType.UNSPECIFIED,
  AggregationType.TOTAL,
  AggregationType.UNIQUE_USERS,
  AggregationType.PER_USER_AVG,
  AggregationType.UNIQUE_SESSIONS,
] as const
/** Aggregations of users in windows; they need buckets of days. */
export const ROLLING = [AggregationType.ROLLING_7_DAY_USERS, AggregationType.ROLLING_30_DAY_USERS] as const
const SUMS = [AggregationType.SUM, AggregationType.AVG] as const
/** Aggregations that pick from the values of a property, and so are exact for every value. */
const PICKS = [
  AggregationType.MIN,
  AggregationType.MAX,
  AggregationType.MEDIAN,
  AggregationType.P75,
  AggregationType.P90,
  AggregationType.P95,
  AggregationType.P99,
  AggregationType.DISTINCT_VALUES,
] as const
/** Session metrics that measure, and do not rank values. */
export const MEASURED_SESSIONS = [
  SessionMetric.SESSIONS,
  SessionMetric.AVG_DURATION,
  SessionMetric.BOUNCE_RATE,
  SessionMetric.AVG_EVENTS_PER_SESSION,
] as const

/** A metric that ranks: its sums have to be exact. */
export function rankingMetric(
  rng: Prng,
  counts: readonly AggregationType[],
): { readonly metric: AggregationType; readonly metricProperty?: string } {
  if (rng.chance(0.5)) return { metric: rng.pick(counts) }
  const { aggregation, aggregationProperty } = numericAggregation(rng)
  return { metric: aggregation, metricProperty: aggregationProperty }
}

function numericAggregation(rng: Prng): {
  readonly aggregation: AggregationType
  readonly aggregationProperty: string
} {
  if (rng.chance(0.3)) return { aggregation: rng.pick(SUMS), aggregationProperty: rng.pick(EXACT_NAMES) }
  return { aggregation: rng.pick(PICKS), aggregationProperty: rng.pick(EVENT_NAMES) }
}

interface QueryCount {
  readonly generated: GeneratedWorld
  readonly count: number
}

/** Entries of trends and segmentation, with any aggregation, and sometimes one of the rare ones. */
export function queries(
  rng: Prng,
  { generated, count, rare }: QueryCount & { readonly rare?: readonly AggregationType[] },
): Query[] {
  return Array.from({ length: count }, () => {
    const isCount = rng.chance(0.5)
    const counts = rare && rng.chance(0.4) ? rare : COUNTS
    return {
      ...maybeEvent(rng, generated),
      ...(isCount ? { aggregation: rng.pick(counts) } : numericAggregation(rng)),
    }
  })
}

/** For steps and cohorts, whose aggregation changes nothing. */
export function plainQueries(rng: Prng, { generated, count }: QueryCount): Query[] {
  return Array.from({ length: count }, () => ({
    ...maybeEvent(rng, generated),
    aggregation: rng.pick([AggregationType.UNSPECIFIED, AggregationType.TOTAL, AggregationType.UNIQUE_USERS]),
  }))
}

function maybeEvent(rng: Prng, generated: GeneratedWorld): Query {
  return rng.chance(0.05) ? {} : { event: generateEventFilter(rng, generated) }
}

/** A scope in half of the specs. */
export function maybeScope(
  rng: Prng,
  generated: GeneratedWorld,
): { readonly scope?: ReturnType<typeof generateEventFilter> } {
  return rng.chance(0.5) ? {} : { scope: generateEventFilter(rng, generated) }
}

/** Up to three properties to break down by, each under one source. */
export function breakdowns(rng: Prng): Pick<Spec, 'breakdowns' | 'breakdownLimit'> {
  const count = rng.below(4)
  const drawn = Array.from({ length: count }, () => generateProperty(rng))
  if (drawn.length === 0) return {}
  const byName = new Map(drawn.map((each) => [each.property, each]))
  return { breakdowns: [...byName.values()], breakdownLimit: generateLimit(rng) }
}

/** A limit of rows or breakdown values; 0 is the default. */
export function generateLimit(rng: Prng): number {
  return rng.pick([0, 1, 2, 3, 5, 100])
}
