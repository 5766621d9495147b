import { create } from '@bufbuild/protobuf'
import { describe, expect, test } from 'vitest'
import {
  EventFilterSchema,
  FilterOperator,
  LogicalOperator,
  PropertyFilterSchema,
} from '../../src/contract/gen/common/v1/filter_pb.js'
import { PropertySource } from '../../src/contract/gen/common/v1/property_pb.js'
import { FilterGroupSchema } from '../../src/contract/gen/shared/insights/v1/event_query_pb.js'
import { matchesConditions, matchesEventFilter, matchesFilter, type Subject } from './filters.ts'
import { type PlainValue, sampleEvents, sampleProfile } from './sample.ts'

function subject(properties: Record<string, PlainValue>, by = 'anna'): Subject {
  const [event] = sampleEvents([{ at: '12:00', by, properties }])
  if (event === undefined) throw new Error('no event')
  const profile = sampleProfile('anna', { anonymousIds: ['anon-1'], traits: { tier: 'gold', age: 41 } })
  return { event, world: { events: [event], people: { profiles: [profile] } } }
}

const MISSING = Symbol('missing')
const SAMPLES = [MISSING, '', 'abc', 'ABC', '5', ' 5', 5n, 5.5, 10, true] as const

/** The samples that match, as the table shows them. */
function matching(operator: keyof typeof FilterOperator, ...operands: readonly string[]): readonly unknown[] {
  const filter = create(PropertyFilterSchema, {
    property: 'x',
    operator: FilterOperator[operator],
    value: operands[0] ?? '',
    values: [...operands],
  })
  return SAMPLES.filter((sample) => matchesFilter(subject(sample === MISSING ? {} : { x: sample }), filter))
}

describe('each operator matches just these', () => {
  test.each<
    [operator: keyof typeof FilterOperator, operands: readonly string[], samples: readonly unknown[]]
  >([
    ['EQUALS', ['5'], ['5', 5n]],
    ['NOT_EQUALS', ['5'], [MISSING, '', 'abc', 'ABC', ' 5', 5.5, 10, true]],
    ['CONTAINS', ['5'], ['5', ' 5', 5n, 5.5]],
    ['NOT_CONTAINS', ['5'], [MISSING, '', 'abc', 'ABC', 10, true]],
    ['EQUALS', ['abc'], ['abc']],
    ['EQUALS', ['true'], [true]],
    ['IS_SET', [], ['abc', 'ABC', '5', ' 5', 5n, 5.5, 10, true]],
    ['IS_NOT_SET', [], [MISSING, '']],
    ['LTE', ['5.5'], ['5', 5n, 5.5]],
    ['GTE', ['5.5'], [5.5, 10]],
    ['LT', ['5.5'], ['5', 5n]],
    ['GT', ['5.5'], [10]],
    ['IN', ['abc', '10'], ['abc', 10]],
    ['NOT_IN', ['abc', '10'], [MISSING, '', 'ABC', '5', ' 5', 5n, 5.5, true]],
    ['BETWEEN', ['5', '5.5'], ['5', 5n, 5.5]],
    ['NOT_BETWEEN', ['5', '5.5'], [10]],
  ])('%s %j', (operator, operands, samples) => {
    expect(matching(operator, ...operands)).toEqual(samples)
  })
})

const filterBy = (property: string, source: PropertySource, value: string) =>
  create(PropertyFilterSchema, { property, source, value, operator: FilterOperator.EQUALS })

test('a trait is that of the user behind any of the ids', () => {
  const filter = filterBy('tier', PropertySource.PROFILE, 'gold')
  const ids = ['anna', 'anon-1', 'profile-anna', 'anon-2']
  expect(ids.map((by) => matchesFilter(subject({ tier: 'x' }, by), filter))).toEqual([
    true,
    true,
    true,
    false,
  ])
})

test('an event property is not a trait, and a trait is not an event property', () => {
  const filters = [
    filterBy('tier', PropertySource.UNSPECIFIED, 'gold'),
    filterBy('tier', PropertySource.CUSTOM, 'blue'),
    filterBy('$tier', PropertySource.AUTO, 'red'),
    filterBy('$tier', PropertySource.UNSPECIFIED, 'red'),
    filterBy('$tier', PropertySource.CUSTOM, 'red'),
  ]
  const both = subject({ tier: 'blue', $tier: 'red' })
  expect(filters.map((filter) => matchesFilter(both, filter))).toEqual([false, true, true, true, false])
})

describe('groups', () => {
  const yes = filterBy('x', PropertySource.UNSPECIFIED, 'yes')
  const no = filterBy('x', PropertySource.UNSPECIFIED, 'no')
  const [and, or] = [LogicalOperator.AND, LogicalOperator.OR]

  test.each<[between: LogicalOperator, groups: readonly [LogicalOperator, boolean][], matches: boolean]>([
    [LogicalOperator.UNSPECIFIED, [], true],
    [or, [], true],
    [and, [[and, false]], false],
    [and, [[or, false]], true],
    [LogicalOperator.UNSPECIFIED, [[LogicalOperator.UNSPECIFIED, false]], false],
    [
      and,
      [
        [or, false],
        [and, false],
      ],
      false,
    ],
    [
      or,
      [
        [or, false],
        [and, false],
      ],
      true,
    ],
    [and, [[or, true]], false],
  ])('%s of %j', (filterGroupsOperator, groups, matches) => {
    const filterGroups = groups.map(([operator, onlyNo]) =>
      create(FilterGroupSchema, { operator, filters: onlyNo ? [no] : [yes, no] }),
    )
    expect(matchesConditions(subject({ x: 'yes' }), { filterGroups, filterGroupsOperator })).toBe(matches)
  })
})

test('an event filter matches its kind and all of its filters', () => {
  const yes = filterBy('x', PropertySource.UNSPECIFIED, 'yes')
  const no = filterBy('x', PropertySource.UNSPECIFIED, 'no')
  const event = subject({ x: 'yes' })
  const matches = (kind: string, filters: readonly (typeof yes)[]): boolean =>
    matchesEventFilter(event, create(EventFilterSchema, { kind, filters: [...filters] }))
  expect([matches('', []), matches('view', [yes]), matches('buy', []), matches('', [yes, no])]).toEqual([
    true,
    true,
    false,
    false,
  ])
  expect(matchesEventFilter(event, undefined)).toBe(true)
})
