import {
  type RetentionOptions,
  RetentionOptions_Periods,
  RetentionOptions_ReturnRule,
  RetentionOptions_StartRule,
  RetentionOptions_Value,
} from '../../contract/gen/millrace/insights/v1/retention_options_pb.js'
import { Granularity } from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { type BucketWidth, bucketStarts } from './buckets.ts'
import { type InsightContext, invalidSpec } from './insight-context.ts'
import type { EventProperty } from './property.ts'
import { parseEventProperty } from './series.ts'

/** Who belongs to a cohort, when they have returned, and what is measured. */
export interface CohortRules {
  readonly returnRule: 'on' | 'on_or_after'
  readonly startRule: 'first_in_range' | 'first_ever' | 'every'
  /** Length of a period that is counted from the start event; without one, periods are buckets. */
  readonly periodMs: number | undefined
  readonly value: CohortValue
}

/** What a point measures: the users who returned, or a property of the return events. */
export type CohortValue =
  | { readonly kind: 'users' }
  | { readonly kind: 'sum' | 'avg'; readonly property: EventProperty }

const RETURN_RULES = {
  [RetentionOptions_ReturnRule.ON]: 'on',
  [RetentionOptions_ReturnRule.ON_OR_AFTER]: 'on_or_after',
} as const satisfies Record<RetentionOptions_ReturnRule, CohortRules['returnRule']>

const START_RULES = {
  [RetentionOptions_StartRule.FIRST_IN_RANGE]: 'first_in_range',
  [RetentionOptions_StartRule.FIRST_EVER]: 'first_ever',
  [RetentionOptions_StartRule.EVERY]: 'every',
} as const satisfies Record<RetentionOptions_StartRule, CohortRules['startRule']>

const VALUES = {
  [RetentionOptions_Value.USERS]: 'users',
  [RetentionOptions_Value.PROPERTY_SUM]: 'sum',
  [RetentionOptions_Value.PROPERTY_AVG]: 'avg',
} as const satisfies Record<RetentionOptions_Value, CohortValue['kind']>

const HOUR_MS = 3_600_000

/** Lengths of elapsed periods; the other granularities have buckets of other lengths. */
const PERIODS_MS: Readonly<Partial<Record<BucketWidth, number>>> = {
  [Granularity.HOUR]: HOUR_MS,
  [Granularity.DAY]: 24 * HOUR_MS,
  [Granularity.WEEK]: 7 * 24 * HOUR_MS,
}

/** Parses the options of retention; absent ones are the defaults. Throws `invalid_argument`. */
export function parseRetentionOptions(options: RetentionOptions, context: InsightContext): CohortRules {
  const returnRule = RETURN_RULES[options.returnRule]
  const startRule = START_RULES[options.startRule]
  if (returnRule === undefined) throw invalidOption('returnRule', 'is unknown')
  if (startRule === undefined) throw invalidOption('startRule', 'is unknown')
  return { returnRule, startRule, periodMs: parsePeriods(options, context), value: parseValue(options) }
}

/** Whether the cohorts are those of retention without options. */
export function hasPlainCohorts({ returnRule, startRule, periodMs, value }: CohortRules): boolean {
  return (
    returnRule === 'on' && startRule === 'first_in_range' && periodMs === undefined && value.kind === 'users'
  )
}

function parsePeriods({ periods }: RetentionOptions, { granularity }: InsightContext): number | undefined {
  if (periods === RetentionOptions_Periods.CALENDAR) return undefined
  if (periods !== RetentionOptions_Periods.ELAPSED) throw invalidOption('periods', 'is unknown')
  const periodMs = PERIODS_MS[granularity]
  if (periodMs === undefined)
    throw invalidOption('periods', 'needs a granularity of hours, days or weeks for PERIODS_ELAPSED')
  return periodMs
}

function parseValue({ value, property }: RetentionOptions): CohortValue {
  const kind = VALUES[value]
  if (kind === undefined) throw invalidOption('value', 'is unknown')
  if (kind === 'users') return { kind }
  return { kind, property: parseEventProperty(property, 'retention.property') }
}

/** Longer than any bucket of a granularity. */
const REACH_MS: Readonly<Record<BucketWidth, number>> = {
  [Granularity.MINUTE]: 120_000,
  [Granularity.HOUR]: 3 * HOUR_MS,
  [Granularity.DAY]: 3 * 24 * HOUR_MS,
  [Granularity.WEEK]: 10 * 24 * HOUR_MS,
  [Granularity.MONTH]: 35 * 24 * HOUR_MS,
}

/** The ends of buckets, by their starts; that of the last one may lie after the range. */
export function bucketEnds(starts: readonly number[], context: InsightContext): readonly number[] {
  const { granularity, zone } = context
  const last = starts.at(-1) ?? context.range.fromMs
  const toMs = last + REACH_MS[granularity]
  const [, end = toMs] = bucketStarts({ fromMs: last, toMs, width: granularity, zone })
  return [...starts.slice(1), end]
}

function invalidOption(field: string, description: string): Error {
  return invalidSpec(`retention.${field}`, description)
}
