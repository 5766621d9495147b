import {
  type EventFilter,
  FilterOperator,
  LogicalOperator,
  type PropertyFilter,
} from '../../src/contract/gen/common/v1/filter_pb.js'
import { PropertySource } from '../../src/contract/gen/common/v1/property_pb.js'
import type { FilterGroup } from '../../src/contract/gen/shared/insights/v1/event_query_pb.js'
import { firstOfSession, firstOfUser } from './first-events.ts'
import type { ReferenceEvent, ReferenceWorld } from './model.ts'
import { findProfile } from './users.ts'
import { parsePlainDecimal, type Reading, readProperty, readTrait } from './values.ts'

/** An event of a world. */
export interface Subject {
  readonly event: ReferenceEvent
  readonly world: Pick<ReferenceWorld, 'events' | 'people'> & Partial<ReferenceWorld>
}

/** Conditions on all events of a query. */
export interface Conditions {
  readonly filterGroups: readonly FilterGroup[]
  readonly filterGroupsOperator: LogicalOperator
}

type Test = (reading: Reading | undefined, filter: PropertyFilter) => boolean

const equals: Test = (reading, { value }) => reading?.text === value
const contains: Test = (reading, { value }) => reading?.text.includes(value) ?? false
const isIn: Test = (reading, { values }) => reading !== undefined && values.includes(reading.text)
const isSet: Test = (reading) => reading !== undefined && reading.text !== ''
const not =
  (test: Test): Test =>
  (reading, filter) =>
    !test(reading, filter)

const TESTS = {
  [FilterOperator.UNSPECIFIED]: () => {
    throw new RangeError('a filter without an operator')
  },
  [FilterOperator.EQUALS]: equals,
  [FilterOperator.NOT_EQUALS]: not(equals),
  [FilterOperator.CONTAINS]: contains,
  [FilterOperator.NOT_CONTAINS]: not(contains),
  [FilterOperator.IS_SET]: isSet,
  [FilterOperator.IS_NOT_SET]: not(isSet),
  [FilterOperator.LTE]: compareNumber((number, bound) => number <= bound),
  [FilterOperator.GTE]: compareNumber((number, bound) => number >= bound),
  [FilterOperator.LT]: compareNumber((number, bound) => number < bound),
  [FilterOperator.GT]: compareNumber((number, bound) => number > bound),
  [FilterOperator.IN]: isIn,
  [FilterOperator.NOT_IN]: not(isIn),
  [FilterOperator.BETWEEN]: compareBounds((number, [low, high]) => number >= low && number <= high),
  [FilterOperator.NOT_BETWEEN]: compareBounds((number, [low, high]) => number < low || number > high),
} satisfies Record<FilterOperator, Test>

/** Whether an event meets one filter. */
export function matchesFilter(subject: Subject, filter: PropertyFilter): boolean {
  return TESTS[filter.operator](readSource(subject, filter), filter)
}

/** Whether an event has the kind and meets all filters; no filter means every event. */
export function matchesEventFilter(subject: Subject, filter: EventFilter | undefined): boolean {
  if (filter === undefined) return true
  const { kind, mergedKinds } = filter
  if (kind !== '' && kind !== subject.event.kind && !mergedKinds.includes(subject.event.kind)) return false
  return filter.filters.every((each) => matchesFilter(subject, each))
}

/** Whether an event meets the groups of a query. */
export function matchesConditions(subject: Subject, conditions: Conditions): boolean {
  const results = conditions.filterGroups.map(({ filters, operator }) =>
    combine(
      operator,
      filters.map((filter) => matchesFilter(subject, filter)),
    ),
  )
  return results.length === 0 || combine(conditions.filterGroupsOperator, results)
}

function combine(operator: LogicalOperator, results: readonly boolean[]): boolean {
  return operator === LogicalOperator.OR ? results.includes(true) : !results.includes(false)
}

/**
 * The value of a property under a source. A custom key never starts with `$` and an auto key always does, so that one map
 * holds both sources.
 */
export function readSource(
  { event, world }: Subject,
  { property, source }: Pick<PropertyFilter, 'property' | 'source'>,
): Reading | undefined {
  switch (source) {
    case PropertySource.PROFILE: {
      const profile = findProfile(world.people, event.distinctId)
      return profile === undefined ? undefined : readTrait(profile, property)
    }
    case PropertySource.SESSION_ENTRY: {
      const first = firstOfSession(world, event)
      return first === undefined ? undefined : readProperty(first, property)
    }
    case PropertySource.FIRST_TOUCH:
      return readProperty(firstOfUser(world, event), property)
    case PropertySource.CUSTOM:
      return property.startsWith('$') ? undefined : readProperty(event, property)
    default:
      return readProperty(event, property)
  }
}

function compareNumber(holds: (...numbers: readonly [number, number]) => boolean): Test {
  return (reading, { value }) => reading?.number !== undefined && holds(reading.number, parseBound(value))
}

function compareBounds(holds: (number: number, bounds: readonly [number, number]) => boolean): Test {
  return (reading, { values: [low, high] }) =>
    reading?.number !== undefined && holds(reading.number, [parseBound(low), parseBound(high)])
}

function parseBound(text: string | undefined): number {
  const bound = parsePlainDecimal(text ?? '')
  if (bound === undefined) throw new RangeError(`a numeric filter with the bound ${text}`)
  return bound
}
