import type { InsightQuerySpec } from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import {
  SessionMetric,
  type SessionQuery as SessionQueryMessage,
} from '../../contract/gen/shared/insights/v1/session_query_pb.js'
import { type Breakdown, parseBreakdown } from './breakdown.ts'
import { bucketStarts } from './buckets.ts'
import { type InsightContext, invalidSpec } from './insight-context.ts'
import type { EventMatch } from './parse-filters.ts'
import { parseEventFilter } from './parse-filters.ts'

/** The session metrics that a request may name. */
export type KnownSessionMetric = Exclude<SessionMetric, SessionMetric.UNSPECIFIED>

/** One number over the sessions that began in the range. */
export interface SessionQuery {
  readonly measures: 'sessions'
  readonly metric: KnownSessionMetric
  /** The events that the query covers. */
  readonly scope: EventMatch
}

/** The same number per bucket, broken down by values of one of the session's events. */
export interface SessionTrendsQuery extends SessionQuery {
  readonly breakdown: Breakdown | undefined
  /** Starts of the buckets, ascending, in milliseconds since the Unix epoch. */
  readonly starts: readonly number[]
}

/** Metrics that count sessions by a value. */
const BY_VALUE: readonly KnownSessionMetric[] = [SessionMetric.ENTRY, SessionMetric.EXIT]

/** Parses a trends query about sessions. Throws `invalid_argument`. */
export function parseSessionTrends(
  spec: InsightQuerySpec,
  message: SessionQueryMessage,
  context: InsightContext,
): SessionTrendsQuery {
  const query = parseSession(spec, message)
  const breakdown = parseBreakdown(spec)
  if (BY_VALUE.includes(query.metric) && breakdown?.names.length !== 1) {
    throw invalidSpec('breakdowns', `must be exactly one for ${SessionMetric[query.metric]}`)
  }
  const starts = bucketStarts({ ...context.range, width: context.granularity, zone: context.zone })
  return { ...query, breakdown, starts }
}

/** Parses a segmentation query about sessions. Throws `invalid_argument`. */
export function parseSessionSegmentation(spec: InsightQuerySpec, message: SessionQueryMessage): SessionQuery {
  const query = parseSession(spec, message)
  if (BY_VALUE.includes(query.metric)) throw invalidSpec('session.metric', 'belongs to trends')
  return query
}

function parseSession(spec: InsightQuerySpec, { metric, scope }: SessionQueryMessage): SessionQuery {
  if (spec.events.length > 0) throw invalidSpec('events', 'must be empty when sessions are measured')
  if (spec.formulas.length > 0) throw invalidSpec('formulas', 'must be empty when sessions are measured')
  if (!isKnown(metric)) throw invalidSpec('session.metric', 'is required')
  const context = { field: 'spec.session.scope', reason: 'INVALID_INSIGHT_QUERY' } as const
  return { measures: 'sessions', metric, scope: parseEventFilter(scope, context) }
}

function isKnown(metric: SessionMetric): metric is KnownSessionMetric {
  return metric !== SessionMetric.UNSPECIFIED && SessionMetric[metric] !== undefined
}
