import {
  Granularity,
  type InsightQuerySpec,
} from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { bucketStarts } from './buckets.ts'
import { type InsightContext, type InsightRules, invalidSpec } from './insight-context.ts'
import { invalid } from './invalid.ts'
import type { EventMatch } from './parse-filters.ts'
import { parseSteps } from './series.ts'

/** A query of how many users are new, returning, resurrected or dormant in each bucket. */
export interface LifecycleQuery {
  /** The event that makes a user active. */
  readonly event: EventMatch
  /** Starts of the buckets, ascending, in milliseconds since the Unix epoch. */
  readonly starts: readonly number[]
  /** Start of the bucket before the first one. */
  readonly beforeMs: number
}

const WIDTHS: readonly Granularity[] = [Granularity.DAY, Granularity.WEEK, Granularity.MONTH]

/** The lifecycle of the users of an event. */
export const LIFECYCLE_RULES: InsightRules<LifecycleQuery> = { fields: ['events'], parse: parseLifecycle }

function parseLifecycle({ events }: InsightQuerySpec, context: InsightContext): LifecycleQuery {
  const { range, granularity: width, zone } = context
  const [event, ...others] = parseSteps(events, context)
  if (!event || others.length > 0) throw invalidSpec('events', 'must be exactly one for LIFECYCLE')
  if (!WIDTHS.includes(width)) {
    throw invalid('granularity', 'must be DAY, WEEK or MONTH for LIFECYCLE', 'INVALID_INSIGHT_QUERY')
  }
  const starts = bucketStarts({ ...range, width, zone })
  const firstMs = starts[0] ?? range.fromMs
  const [beforeMs = firstMs] = bucketStarts({ fromMs: firstMs - 1, toMs: firstMs, width, zone })
  return { event, starts, beforeMs }
}
