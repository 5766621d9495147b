import type { JsonObject } from '@bufbuild/protobuf'
import type { BrokenRule } from './insight-type.ts'

/** An entry of `events`. */
export const EVENT = { event: { kind: 'a' } } as const satisfies JsonObject

/** Values of the fields that several types have. */
export const SHARED_VALUES = {
  events: [EVENT],
  breakdowns: [{ property: 'plan' }],
  breakdownCohortIds: ['00000000-0000-4000-8000-000000000001'],
  session: { metric: 'SESSION_METRIC_SESSIONS' },
} as const satisfies JsonObject

const COHORT = { cohortId: '00000000-0000-4000-8000-000000000001' } as const satisfies JsonObject

/** The rules of filters by cohort, on all events. */
export function cohortRules(type: string): readonly BrokenRule[] {
  return [
    { name: `a cohort in ${type} needs an id`, fields: { cohorts: [COHORT, { negate: true }] } },
    {
      name: `${type} has twenty cohorts at most`,
      fields: { cohorts: Array.from({ length: 21 }, () => COHORT) },
    },
  ]
}

/** The rules of filters by cohort, on one entry of `events`. */
export function cohortRulesOfEvents(type: string): readonly BrokenRule[] {
  return [
    {
      name: `a cohort of an event in ${type} needs an id`,
      fields: { events: [{ ...EVENT, cohorts: [{}] }] },
    },
    {
      name: `an event in ${type} has twenty cohorts at most`,
      fields: { events: [{ ...EVENT, cohorts: Array.from({ length: 21 }, () => COHORT) }] },
    },
  ]
}

/** The rules of a split by cohort. */
export function splitRules(type: string, takesBreakdowns: boolean): readonly BrokenRule[] {
  const ids = Array.from({ length: 11 }, (_, index) => `00000000-0000-4000-8000-0000000000${10 + index}`)
  const { breakdownCohortIds } = SHARED_VALUES
  return [
    { name: `${type} is split by ten cohorts at most`, fields: { breakdownCohortIds: ids } },
    {
      name: `${type} is split once by a cohort`,
      fields: { breakdownCohortIds: [...breakdownCohortIds, ...breakdownCohortIds] },
    },
    { name: `${type} is split by cohorts with an id`, fields: { breakdownCohortIds: [''] } },
    ...(takesBreakdowns
      ? [
          {
            name: `${type} is split by cohorts or by properties`,
            fields: { breakdownCohortIds: [...breakdownCohortIds], breakdowns: [{ property: 'plan' }] },
          },
          {
            name: `${type} that is split by cohorts has no limit`,
            fields: { breakdownCohortIds: [...breakdownCohortIds], breakdownLimit: 3 },
          },
        ]
      : []),
  ]
}

/** The aggregations that need a property. */
export const NUMERIC = [
  'SUM',
  'AVG',
  'MIN',
  'MAX',
  'MEDIAN',
  'P75',
  'P90',
  'P95',
  'P99',
  'DISTINCT_VALUES',
] as const

/** The aggregations of users in windows, which only trends by days take. */
export const WINDOWED = ['ROLLING_7_DAY_USERS', 'ROLLING_30_DAY_USERS'] as const

/** The JSON name of an aggregation. */
export function aggregationOf(name: string): string {
  return `AGGREGATION_TYPE_${name}`
}

/** The rules of `events` in a type that takes every aggregation. */
export function aggregationRules(type: string): readonly BrokenRule[] {
  return [
    ...NUMERIC.map((name) => ({
      name: `${name} in ${type} needs a property`,
      fields: { events: [{ ...EVENT, aggregation: aggregationOf(name) }] },
    })),
    {
      name: `SUM in ${type} needs a valid name`,
      fields: { events: [{ ...EVENT, aggregation: aggregationOf('SUM'), aggregationProperty: 'a b' }] },
    },
    {
      name: `${type} needs a known aggregation`,
      fields: { events: [{ ...EVENT, aggregation: 99 }] },
    },
  ]
}

/** The rules of `events` in a type that counts users with every aggregation. */
export function countingRules(type: string): readonly BrokenRule[] {
  return [...NUMERIC, ...WINDOWED, 'PER_USER_AVG', 'UNIQUE_SESSIONS'].map((name) => ({
    name: `${type} does not take ${name}`,
    fields: { events: [{ ...EVENT, aggregation: aggregationOf(name), aggregationProperty: 'n' }] },
  }))
}

/** The rules of `session` in a type that measures sessions. */
export function sessionRules(type: string): readonly BrokenRule[] {
  return [
    { name: `a session in ${type} needs a metric`, fields: { session: {} } },
    { name: `a session in ${type} needs a known metric`, fields: { session: { metric: 99 } } },
    {
      name: `${type} has sessions or events`,
      fields: { session: SHARED_VALUES.session, events: [EVENT] },
    },
  ]
}

/** The rules of `breakdowns` and their limit. */
export function breakdownRules(type: string): readonly BrokenRule[] {
  const six = ['a', 'b', 'c', 'd', 'e', 'f'].map((property) => ({ property }))
  const plan = [{ property: 'plan' }]
  return [
    { name: `${type} has five breakdowns at most`, fields: { breakdowns: six } },
    { name: `${type} breaks down once by a property`, fields: { breakdowns: [...plan, ...plan] } },
    { name: `${type} breaks down by a name`, fields: { breakdowns: [{}] } },
    { name: `${type} breaks down by a valid name`, fields: { breakdowns: [{ property: 'a b' }] } },
    { name: `${type} has a limit only with breakdowns`, fields: { breakdownLimit: 1 } },
    ...[-1, 101].map((breakdownLimit) => ({
      name: `${type} has no limit of ${breakdownLimit}`,
      fields: { breakdowns: plan, breakdownLimit },
    })),
  ]
}
