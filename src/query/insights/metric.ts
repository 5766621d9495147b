import { AggregationType } from '../../contract/gen/shared/insights/v1/event_query_pb.js'
import type { EventProperty } from '../property/event-property.ts'
import { eventPropertyNumber } from '../property/event-property.ts'
import { resolveProperty } from '../property/property.ts'
import { type Sql, sql } from '../sql/sql.ts'
import { canonicalUsers } from '../users/user-key.ts'
import { invalidSpec } from './frame.ts'

/** How events become a number. */
export type Metric =
  | { readonly kind: 'total' | 'unique_users' | 'per_user_avg' }
  | { readonly kind: 'sum' | 'avg' | 'min' | 'max'; readonly property: EventProperty }

type MetricKind = Metric['kind']

const KINDS = {
  [AggregationType.UNSPECIFIED]: 'total',
  [AggregationType.TOTAL]: 'total',
  [AggregationType.UNIQUE_USERS]: 'unique_users',
  [AggregationType.PER_USER_AVG]: 'per_user_avg',
  [AggregationType.SUM]: 'sum',
  [AggregationType.AVG]: 'avg',
  [AggregationType.MIN]: 'min',
  [AggregationType.MAX]: 'max',
} as const satisfies Record<AggregationType, MetricKind>

const PROPERTY_NAME = /^[$]?[a-zA-Z0-9_-]+([.][a-zA-Z0-9_-]+)*$/

/** Reads an aggregation with its property, which the counting ones ignore. `field` is the property's, for errors. */
export function parseMetric(input: {
  readonly type: AggregationType
  readonly property: string
  readonly field: string
}): Metric {
  const kind = KINDS[input.type]
  if (kind === undefined) throw invalidSpec(input.field, 'belongs to an unknown aggregation')
  if (kind === 'total' || kind === 'unique_users' || kind === 'per_user_avg') return { kind }
  return { kind, property: parseEventProperty(input.property, input.field) }
}

/** Reads the name of a property of events. */
export function parseEventProperty(name: string, field: string): EventProperty {
  if (name === '') throw invalidSpec(field, 'is required')
  if (!PROPERTY_NAME.test(name)) throw invalidSpec(field, 'is no property name')
  const property = resolveProperty(name)
  if (property.home === 'trait') throw invalidSpec(field, 'is no property of events')
  return property
}

/** Whether the metric counts users, so that cookieless visitors are left out unless they are asked for. */
export function countsUsers({ kind }: Metric): boolean {
  return kind === 'unique_users' || kind === 'per_user_avg'
}

/** An aggregate that metrics are made of. States of parts of the events merge into the state of all of them. */
export interface Component {
  /** The number over the rows that meet the condition, over all rows without one. */
  readonly direct: (condition?: Sql) => Sql
  /** The state over them, for merging. */
  readonly state: (condition?: Sql) => Sql
  /** The number of one state. */
  readonly finish: (state: Sql) => Sql
  /** The number of all states of a group. */
  readonly merge: (state: Sql) => Sql
}

const USERS: Component = {
  direct: (condition) => sql`arrayUniq(${usersOf(condition)})`,
  state: (condition) => usersOf(condition),
  finish: (state) => sql`arrayUniq(${state})`,
  merge: (state) => sql`uniqExactArray(${state})`,
}

const COUNT: Component = plain(
  (condition) => (condition ? sql`countIf(${condition})` : sql`count()`),
  sql`sum`,
)

/** A component whose state is its number. */
function plain(direct: Component['direct'], merged: Sql): Component {
  return {
    direct,
    state: direct,
    finish: (state) => state,
    merge: (state) => sql`${merged}(${state})`,
  }
}

/** The users of the rows as an array, one who has several ids maybe several times. */
function usersOf(condition: Sql | undefined): Sql {
  return canonicalUsers(aggregate(sql`groupUniqArray`, sql`user_hash`, condition))
}

function aggregate(name: Sql, value: Sql, condition: Sql | undefined): Sql {
  return condition ? sql`${name}If(${value}, ${condition})` : sql`${name}(${value})`
}

function sumOf(number: Sql): Component {
  return plain((condition) => sql`ifNull(${aggregate(sql`sum`, number, condition)}, 0.)`, sql`sum`)
}

function numbersOf(number: Sql): Component {
  return plain((condition) => aggregate(sql`count`, number, condition), sql`sum`)
}

function extremeOf(number: Sql, name: Sql): Component {
  return plain((condition) => aggregate(name, number, condition), name)
}

/** A metric as SQL. */
export interface MetricSql {
  readonly components: readonly Component[]
  /** The metric's value (a double) from the numbers of its components, in their order. */
  readonly value: (...numbers: readonly Sql[]) => Sql
}

/** Compiles a metric. */
export function metricSql(metric: Metric): MetricSql {
  switch (metric.kind) {
    case 'total':
      return { components: [COUNT], value: first }
    case 'unique_users':
      return { components: [USERS], value: first }
    case 'per_user_avg':
      return { components: [COUNT, USERS], value: ratio }
    case 'sum':
      return { components: [sumOf(eventPropertyNumber(metric.property))], value: first }
    case 'avg': {
      const number = eventPropertyNumber(metric.property)
      return { components: [sumOf(number), numbersOf(number)], value: ratio }
    }
    case 'min':
      return { components: [extremeOf(eventPropertyNumber(metric.property), sql`min`)], value: first }
    case 'max':
      return { components: [extremeOf(eventPropertyNumber(metric.property), sql`max`)], value: first }
    default:
      return metric satisfies never
  }
}

function first(number: Sql = sql`0`): Sql {
  return sql`ifNull(toFloat64(${number}), 0.)`
}

function ratio(sum: Sql = sql`0`, count: Sql = sql`0`): Sql {
  return sql`if(${count} = 0, 0., toFloat64(${sum}) / toFloat64(${count}))`
}
