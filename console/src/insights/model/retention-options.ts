import type { JsonObject } from '@bufbuild/protobuf'
import type { NameKey } from '../../i18n/translate.ts'
import type { Granularity } from './draft.ts'
import { type Json, recordOf } from './json.ts'

/** The rules by which a return counts, as the contract names them. */
export const RETURN_RULES = ['RETURN_RULE_ON', 'RETURN_RULE_ON_OR_AFTER'] as const
/** A rule of returns. */
export type ReturnRule = (typeof RETURN_RULES)[number]

/** The rules by which people belong to a group, as the contract names them. */
export const START_RULES = ['START_RULE_FIRST_IN_RANGE', 'START_RULE_FIRST_EVER', 'START_RULE_EVERY'] as const
/** A rule of groups. */
export type StartRule = (typeof START_RULES)[number]

/** The periods of a group, as the contract names them. */
export const RETENTION_PERIODS = ['PERIODS_CALENDAR', 'PERIODS_ELAPSED'] as const
/** Periods of a group. */
export type RetentionPeriods = (typeof RETENTION_PERIODS)[number]

/** The measures of retention, as the contract names them. */
export const RETENTION_VALUES = ['VALUE_USERS', 'VALUE_PROPERTY_SUM', 'VALUE_PROPERTY_AVG'] as const
/** A measure of retention. */
export type RetentionValue = (typeof RETENTION_VALUES)[number]

/** The options of retention. */
export interface RetentionOptionsDraft {
  readonly returnRule: ReturnRule
  readonly startRule: StartRule
  readonly periods: RetentionPeriods
  readonly value: RetentionValue
  /** The property of a sum or a mean; empty otherwise. */
  readonly property: string
}

/** Retention whose options are all off. */
export const NO_RETENTION_OPTIONS: RetentionOptionsDraft = {
  returnRule: 'RETURN_RULE_ON',
  startRule: 'START_RULE_FIRST_IN_RANGE',
  periods: 'PERIODS_CALENDAR',
  value: 'VALUE_USERS',
  property: '',
}

/** The widths of groups whose periods can be counted from the start event. */
const ELAPSED_WIDTHS: readonly Granularity[] = ['GRANULARITY_HOUR', 'GRANULARITY_DAY', 'GRANULARITY_WEEK']

/** The setting that is missing, or that does not suit the width of the groups, as a message. */
export function findMissingOption(
  { value, property, periods }: RetentionOptionsDraft,
  granularity: Granularity | undefined,
): NameKey | undefined {
  if (value !== 'VALUE_USERS' && property === '') return 'insights.missingProperty'
  const isElapsed = periods === 'PERIODS_ELAPSED' && granularity !== undefined
  return isElapsed && !ELAPSED_WIDTHS.includes(granularity) ? 'insights.needsShorterPeriods' : undefined
}

/** The options in proto JSON; nothing when all are off. */
export function encodeRetentionOptions(options: RetentionOptionsDraft): JsonObject {
  const json = Object.fromEntries(
    Object.entries(options).filter(
      ([name, value]) => value !== NO_RETENTION_OPTIONS[name as keyof RetentionOptionsDraft],
    ),
  )
  return Object.keys(json).length === 0 ? {} : { retention: json }
}

/** The draft of the options of a spec. */
export function decodeRetentionOptions({ retention }: Json): RetentionOptionsDraft {
  const json = recordOf(retention)
  return {
    returnRule: RETURN_RULES.find((known) => known === json.returnRule) ?? NO_RETENTION_OPTIONS.returnRule,
    startRule: START_RULES.find((known) => known === json.startRule) ?? NO_RETENTION_OPTIONS.startRule,
    periods: RETENTION_PERIODS.find((known) => known === json.periods) ?? NO_RETENTION_OPTIONS.periods,
    value: RETENTION_VALUES.find((known) => known === json.value) ?? NO_RETENTION_OPTIONS.value,
    property: String(json.property ?? ''),
  }
}
