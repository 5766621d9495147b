import { create } from '@bufbuild/protobuf'
import { FunnelOptionsSchema } from '../../contract/gen/millrace/insights/v1/funnel_options_pb.js'
import type { InsightQuerySpec } from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { type Breakdown, parseBreakdown } from './breakdown.ts'
import { type AttemptRules, parseFunnelOptions } from './funnel-options.ts'
import { type InsightContext, type InsightRules, invalidSpec } from './insight-context.ts'
import type { EventMatch } from './parse-filters.ts'
import { parseSteps } from './series.ts'

/** A funnel query: how many users get how far through the steps. */
export interface FunnelQuery {
  /** 1 to 20. */
  readonly steps: readonly EventMatch[]
  /** Longest time from the first to the last event of an attempt, inclusive; at most the length of the range. */
  readonly windowMs: number
  readonly breakdown: Breakdown | undefined
  readonly timing: 'with' | 'without'
  readonly rules: AttemptRules
}

const STEPS_MAX = 20

/** Funnels over events. */
export const FUNNEL_RULES: InsightRules<FunnelQuery> = {
  fields: [
    'events',
    'breakdowns',
    'breakdownLimit',
    'breakdownCohortIds',
    'conversionWindow',
    'includeStepTiming',
    'funnel',
  ],
  parse: parseFunnel,
}

function parseFunnel(spec: InsightQuerySpec, context: InsightContext): FunnelQuery {
  const { range } = context
  const steps = parseSteps(spec.events, context)
  if (steps.length === 0) throw invalidSpec('events', 'must have at least one step')
  if (steps.length > STEPS_MAX) throw invalidSpec('events', `must be at most ${STEPS_MAX} steps`)
  // No two events are further apart than the range is long: a longer window, or none, is no constraint.
  const windowMs = Math.min(parseWindow(spec), range.toMs - range.fromMs)
  const timing = spec.includeStepTiming ? 'with' : 'without'
  const rules = parseFunnelOptions(spec.funnel ?? create(FunnelOptionsSchema), steps.length, context)
  return { steps, windowMs, breakdown: parseBreakdown(spec), timing, rules }
}

function parseWindow({ conversionWindow }: InsightQuerySpec): number {
  if (!conversionWindow) return Number.POSITIVE_INFINITY
  const { seconds, nanos } = conversionWindow
  if (nanos !== 0) throw invalidSpec('conversionWindow', 'must be whole seconds')
  if (seconds < 1n) throw invalidSpec('conversionWindow', 'must be at least 1 s')
  return Number(seconds) * 1000
}
