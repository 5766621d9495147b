import type { Condition } from '../../domain/insights/condition.ts'
import type { InsightContext } from '../../domain/insights/insight-context.ts'
import type { EventMatch } from '../../domain/insights/parse-filters.ts'
import type { Property } from '../../domain/insights/property.ts'
import type { DayCells } from '../sql/day-cells.ts'
import { type Sql, sql } from '../sql/sql.ts'
import { bucketOf } from './bucket-sql.ts'
import { eventsOf } from './event-sql.ts'
import type { Component } from './metric-sql.ts'

/** A statement over cells, as its insight type compiles it. */
export interface CellsInput {
  readonly matches: readonly EventMatch[]
  /** ` AND ...`, or nothing: which of the matched events count. */
  readonly where?: Sql
  /** The properties whose values are `keys`. */
  readonly properties?: readonly Property[]
  readonly keys?: readonly Sql[]
  /** Starts of the buckets; absent when there are none. */
  readonly starts?: readonly number[]
  readonly components: readonly { readonly component: Component; readonly condition?: Sql | undefined }[]
  /** Whether the states of `over` are what is stored, or what is read from it, which is the fallback. */
  readonly states?: 'stored' | 'read'
  readonly over: DayCells['over']
  readonly isByBucket?: boolean
}

/**
 * The cells of a statement, if each depends on the events of its own bucket alone and is small enough to be kept: conditions and values
 * of users, of first events and of cohorts change without a new event of the day.
 */
export function dayCellsOf(input: CellsInput, context: InsightContext): DayCells | undefined {
  const {
    matches,
    where = sql``,
    properties = [],
    keys = [],
    starts,
    components,
    over,
    isByBucket = false,
  } = input
  const asStored = (stored: Sql): Sql => stored
  const conditions = [context.filters, ...matches.map(({ condition }) => condition)]
  const isOfEvents = conditions.every(readsEventOnly) && properties.every(isOfEvent)
  if (!isOfEvents || context.users) return undefined
  const states = components.flatMap(({ component: { kept }, condition }) =>
    kept
      ? [
          {
            column: kept.column,
            stored: kept.stored(condition),
            read: input.states === 'stored' ? asStored : kept.read,
          },
        ]
      : [],
  )
  if (states.length < components.length) return undefined
  return {
    projectId: context.projectId,
    range: context.range,
    keys,
    buckets: starts && { bucket: bucketOf(sql`time`, starts), starts },
    states,
    events: ({ range, spans }) => sql`${eventsOf(matches, { ...context, spans }, range)}${where}`,
    over,
    isByBucket,
  }
}

function readsEventOnly(condition: Condition): boolean {
  switch (condition.kind) {
    case 'all':
    case 'any':
      return condition.of.every(readsEventOnly)
    case 'match':
      return isOfEvent(condition.property)
    case 'cohort':
      return false
    default:
      return condition satisfies never
  }
}

function isOfEvent({ home }: Property): boolean {
  return home === 'column' || home === 'maps'
}
