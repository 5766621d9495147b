import type { RangeMetric } from '../../domain/insights/series.ts'
import { eventPropertyNumber, eventPropertyText } from '../property/event-property.ts'
import type { CellState } from '../sql/day-cells.ts'
import { HAS_SESSION } from '../sql/events-table.ts'
import { allOf, numbered, type Sql, sql } from '../sql/sql.ts'
import { canonicalUsers } from '../users/user-sql.ts'
import { PERCENTILE_LEVELS, percentileOf } from './percentiles.ts'

/** An aggregate that metrics are built from. Partial states of some events merge into the state of all. */
export interface Component {
  /** The value over the rows that meet the condition, or over all rows without one. */
  readonly direct: (condition?: Sql) => Sql
  /** The mergeable state over the same rows. */
  readonly state: (condition?: Sql) => Sql
  /** The value of one state. */
  readonly finish: (state: Sql) => Sql
  /** The merged value of all states of a group. */
  readonly merge: (state: Sql) => Sql
  /** The same for groups of few states each, where that is cheaper. */
  readonly mergeFew?: (state: Sql) => Sql
  /** How states of a day or an hour are kept; absent for those that are too large. */
  readonly kept?: KeptComponent
}

/** A component whose states of a day or an hour are kept. */
export interface KeptComponent {
  readonly column: CellState['column']
  /** The stored value of the rows that meet the condition, or of all rows without one. */
  readonly stored: (condition?: Sql) => Sql
  /** The state of a stored value. */
  readonly read: CellState['read']
  /** The state of all stored values of a group. */
  readonly combine: (stored: Sql) => Sql
}

const USERS: Component = {
  direct: (condition) => sql`arrayUniq(${usersOf(condition)})`,
  state: (condition) => usersOf(condition),
  finish: (state) => sql`arrayUniq(${state})`,
  merge: (state) => sql`uniqExactArray(${state})`,
  // Half of the time, but users of several states are in memory as often.
  mergeFew: (state) => sql`arrayUniq(groupArrayArray(${state}))`,
  // Ids as sent: people who are merged later need no new computation.
  kept: {
    column: 'users',
    stored: (condition) => aggregate(sql`groupUniqArray`, sql`user_hash`, { condition }),
    read: canonicalUsers,
    // Who came on several days is looked up once.
    combine: (stored) => canonicalUsers(sql`groupUniqArrayArray(${stored})`),
  },
}

const COUNT: Component = plain(
  (condition) => (condition ? sql`countIf(${condition})` : sql`count()`),
  sql`sum`,
)

/** A component whose state is its value. */
function plain(direct: Component['direct'], merged: Sql, isNullable = false): Component {
  const merge = (state: Sql): Sql => sql`${merged}(${state})`
  const read = (stored: Sql): Sql => (isNullable ? stored : sql`assumeNotNull(${stored})`)
  return {
    direct,
    state: direct,
    finish: (state) => state,
    merge,
    kept: {
      column: 'numbers',
      stored: (condition) => sql`CAST(${direct(condition)}, 'Nullable(Float64)')`,
      read,
      combine: (stored) => merge(read(stored)),
    },
  }
}

const SESSIONS: Component = within(HAS_SESSION, aggregated(sql`uniqExact`, sql`session_id`))

/** A component of the rows that meet a condition. */
function within(always: Sql, component: Component): Component {
  const and = (condition: Sql | undefined): Sql => (condition ? allOf([condition, always]) : always)
  return {
    ...component,
    direct: (condition) => component.direct(and(condition)),
    state: (condition) => component.state(and(condition)),
  }
}

/** A component of an aggregate function of the engine, whose states it can keep. */
function aggregated(name: Sql, value: Sql, parameters: Sql = sql``): Component {
  return {
    direct: (condition) => aggregate(name, value, { parameters, condition }),
    state: (condition) => aggregate(sql`${name}State`, value, { parameters, condition }),
    finish: (state) => sql`finalizeAggregation(${state})`,
    merge: (state) => sql`${name}Merge${parameters}(${state})`,
  }
}

/** The users of the rows as an array; a user with several ids may occur several times. */
function usersOf(condition: Sql | undefined): Sql {
  return canonicalUsers(aggregate(sql`groupUniqArray`, sql`user_hash`, { condition }))
}

/** An aggregate function of a value, over the rows that meet the condition or over all without one; `parameters` are in parentheses. */
export function aggregate(
  name: Sql,
  value: Sql,
  { parameters = sql``, condition }: { readonly parameters?: Sql; readonly condition: Sql | undefined },
): Sql {
  return condition ? sql`${name}If${parameters}(${value}, ${condition})` : sql`${name}${parameters}(${value})`
}

function sumOf(number: Sql): Component {
  return plain((condition) => sql`ifNull(${aggregate(sql`sum`, number, { condition })}, 0.)`, sql`sum`)
}

function numbersOf(number: Sql): Component {
  return plain((condition) => aggregate(sql`count`, number, { condition }), sql`sum`)
}

function extremeOf(number: Sql, name: Sql): Component {
  return plain((condition) => aggregate(name, number, { condition }), name, true)
}

/** The different texts of a property; the empty text is that of a missing one. */
function textsOf(text: Sql): Component {
  return aggregated(sql`uniqExact`, sql`nullIf(${text}, '')`)
}

/** A metric as SQL. */
export interface MetricSql {
  readonly components: readonly Component[]
  /** Computes the metric's value (a double) from the values of its components, in their order. */
  readonly value: (...numbers: readonly Sql[]) => Sql
}

/** Metrics over cells: their components in order, and the value of each from the states of its components in groups of few or many cells. */
export function mergeStates<M extends MetricSql>(
  metrics: readonly (M & { readonly condition?: Sql | undefined })[],
  cellsOfGroup: 'few' | 'many',
): {
  readonly components: readonly { readonly component: Component; readonly condition: Sql | undefined }[]
  readonly values: readonly Sql[]
} {
  const components = metrics.flatMap(({ components: own, condition }) =>
    own.map((component) => ({ component, condition })),
  )
  const numbers = components.map(({ component: { merge, mergeFew = merge } }, index) => {
    const state = numbered('state', index)
    return cellsOfGroup === 'few' ? mergeFew(state) : merge(state)
  })
  return {
    components,
    values: metrics.map(({ components: own, value }) => value(...numbers.splice(0, own.length))),
  }
}

/** Compiles a metric. */
export function metricSql(metric: RangeMetric): MetricSql {
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
    case 'median':
    case 'p75':
    case 'p90':
    case 'p95':
    case 'p99': {
      const { kind, property } = metric
      const numbers = aggregated(
        sql`quantilesExact`,
        eventPropertyNumber(property),
        sql`(${PERCENTILE_LEVELS[kind]})`,
      )
      return { components: [numbers], value: (found) => percentileOf(kind, found) }
    }
    case 'distinct_values':
      return { components: [textsOf(eventPropertyText(metric.property))], value: first }
    case 'unique_sessions':
      return { components: [SESSIONS], value: first }
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
