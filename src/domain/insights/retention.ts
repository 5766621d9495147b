import { create } from '@bufbuild/protobuf'
import { RetentionOptionsSchema } from '../../contract/gen/millrace/insights/v1/retention_options_pb.js'
import type { InsightQuerySpec } from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { type Breakdown, parseBreakdown } from './breakdown.ts'
import { bucketStarts } from './buckets.ts'
import { type InsightContext, type InsightRules, invalidSpec } from './insight-context.ts'
import type { EventMatch } from './parse-filters.ts'
import { bucketEnds, type CohortRules, parseRetentionOptions } from './retention-options.ts'
import { parseSteps } from './series.ts'

/** A query of the share of users who started in one bucket and returned in later ones. */
export interface RetentionQuery {
  /** A user's first event that matches this decides the cohort. */
  readonly start: EventMatch
  /** The event that counts as a return; `undefined`: the start event again. */
  readonly returnEvent: EventMatch | undefined
  readonly breakdown: Breakdown | undefined
  /** Starts of the buckets, ascending, in milliseconds since the Unix epoch. */
  readonly starts: readonly number[]
  /** Their ends; that of the last one may lie after the range. */
  readonly ends: readonly number[]
  readonly rules: CohortRules
}

const EVENTS_MAX = 2

/** Retention of the users who had a start event. */
export const RETENTION_RULES: InsightRules<RetentionQuery> = {
  fields: ['events', 'breakdowns', 'breakdownLimit', 'breakdownCohortIds', 'retention'],
  parse: parseRetention,
}

function parseRetention(spec: InsightQuerySpec, context: InsightContext): RetentionQuery {
  if (spec.events.length > EVENTS_MAX) throw invalidSpec('events', `must be at most ${EVENTS_MAX}`)
  const [start, returnEvent] = parseSteps(spec.events, context)
  if (!start) throw invalidSpec('events', 'needs the start event')
  const starts = bucketStarts({ ...context.range, width: context.granularity, zone: context.zone })
  return {
    start,
    returnEvent,
    breakdown: parseBreakdown(spec),
    starts,
    ends: bucketEnds(starts, context),
    rules: parseRetentionOptions(spec.retention ?? create(RetentionOptionsSchema), context),
  }
}
