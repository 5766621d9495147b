import type { JsonObject } from '@bufbuild/protobuf'
import type { BrokenRule } from './insight-type.ts'

/** An entry of `events`. */
export const EVENT = { event: { kind: 'a' } } as const satisfies JsonObject

/** Values of the fields that several types have. */
export const SHARED_VALUES = {
  events: [EVENT],
  breakdowns: [{ property: 'plan' }],
  session: { metric: 'SESSION_METRIC_SESSIONS' },
} as const satisfies JsonObject

/** The aggregations that need a property. */
export const NUMERIC = ['SUM', 'AVG', 'MIN', 'MAX'] as const

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
  return NUMERIC.map((name) => ({
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
