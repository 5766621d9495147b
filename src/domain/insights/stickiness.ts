import type { InsightQuerySpec } from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { bucketStarts } from './buckets.ts'
import { type InsightContext, type InsightRules, invalidSpec } from './insight-context.ts'
import type { EventMatch } from './parse-filters.ts'
import { parseSteps } from './series.ts'

/** A query of how many users were active in how many buckets. */
export interface StickinessQuery {
  /** 1 to 10; each makes users active on its own. */
  readonly series: readonly EventMatch[]
  /** Starts of the buckets, ascending, in milliseconds since the Unix epoch. */
  readonly starts: readonly number[]
}

const SERIES_MAX = 10

/** Stickiness of the users of events. */
export const STICKINESS_RULES: InsightRules<StickinessQuery> = { fields: ['events'], parse: parseStickiness }

function parseStickiness({ events }: InsightQuerySpec, context: InsightContext): StickinessQuery {
  const { range, granularity: width, zone } = context
  if (events.length > SERIES_MAX) throw invalidSpec('events', `must be at most ${SERIES_MAX}`)
  const series = parseSteps(events, context)
  if (series.length === 0) throw invalidSpec('events', 'needs at least one event')
  return { series, starts: bucketStarts({ ...range, width, zone }) }
}
