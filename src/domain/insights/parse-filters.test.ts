import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { describe, expect, test } from 'vitest'
import {
  EventFilterSchema,
  FilterOperator,
  LogicalOperator,
  PropertyFilterSchema,
} from '../../contract/gen/common/v1/filter_pb.js'
import { PropertySource } from '../../contract/gen/common/v1/property_pb.js'
import { OPERATORS } from './condition.ts'
import { parseEventFilter, parseFilter, parseFilterGroups, parseFilters } from './parse-filters.ts'

type Filter = MessageInitShape<typeof PropertyFilterSchema>

const CONTEXT = { field: 'filters', reason: 'INVALID_INSIGHT_QUERY' } as const
const PLAN: Filter = { property: 'plan', operator: FilterOperator.EQUALS, value: 'pro' }

const filter = (fields: Filter) => create(PropertyFilterSchema, fields)
const filters = (count: number) => Array.from({ length: count }, () => filter(PLAN))
const group = (count: number, operator = LogicalOperator.AND) => ({ filters: filters(count), operator })
const groups = (count: number) => Array.from({ length: count }, () => group(1))

/** The field and the description of the violation that parsing throws. */
function violationOf(parse: () => unknown): unknown {
  try {
    parse()
  } catch (error) {
    if (error instanceof Error && 'violations' in error) return error.violations
    throw error
  }
  return 'accepted'
}

describe('limits', () => {
  test('a list has at most 50 filters', () => {
    expect(parseFilters(filters(50), CONTEXT)).toHaveLength(50)
    expect(violationOf(() => parseFilters(filters(51), CONTEXT))).toEqual([
      { field: 'filters', description: 'must be at most 50' },
    ])
  })

  test('a query has at most 20 groups', () => {
    expect(parseFilterGroups(groups(20), LogicalOperator.AND, CONTEXT)).toMatchObject({ kind: 'all' })
    expect(violationOf(() => parseFilterGroups(groups(21), LogicalOperator.AND, CONTEXT))).toEqual([
      { field: 'filters', description: 'must be at most 20' },
    ])
  })

  test('each group has at most 50 filters, and one at least', () => {
    const parse = (count: number) => () =>
      parseFilterGroups([group(1), group(count)], LogicalOperator.AND, CONTEXT)
    expect(violationOf(parse(50))).toBe('accepted')
    expect(violationOf(parse(51))).toEqual([
      { field: 'filters[1].filters', description: 'must be at most 50' },
    ])
    expect(violationOf(parse(0))).toEqual([{ field: 'filters[1].filters', description: 'must not be empty' }])
  })
})

describe('groups', () => {
  test.each([
    [LogicalOperator.UNSPECIFIED, 'all'],
    [LogicalOperator.AND, 'all'],
    [LogicalOperator.OR, 'any'],
  ] as const)('combine by operator %s', (operator, kind) => {
    expect(parseFilterGroups([group(1, operator)], operator, CONTEXT)).toMatchObject({
      kind,
      of: [{ kind, of: [{ kind: 'match' }] }],
    })
  })

  test('no groups match every event, even with OR', () => {
    expect(parseFilterGroups([], LogicalOperator.OR, CONTEXT)).toEqual({ kind: 'all', of: [] })
  })
})

describe('an event filter', () => {
  test('without a message matches every event', () => {
    expect(parseEventFilter(undefined, CONTEXT)).toEqual({ kind: '', condition: { kind: 'all', of: [] } })
  })

  test('names its kind, and all of its filters have to match', () => {
    const event = create(EventFilterSchema, { kind: 'view', filters: filters(2) })
    expect(parseEventFilter(event, CONTEXT)).toMatchObject({
      kind: 'view',
      condition: { kind: 'all', of: [{ kind: 'match' }, { kind: 'match' }] },
    })
  })
})

describe('operands', () => {
  const TEXT = { value: 'pro' }
  const TEXTS = { values: ['a', 'b'] }
  const NUMBER = { value: '-1.5' }
  const RANGE = { values: ['1', '2'] }
  const OPERANDS = {
    none: [{}, { kind: 'none' }],
    text: [TEXT, { kind: 'text', text: 'pro' }],
    texts: [TEXTS, { kind: 'texts', texts: ['a', 'b'] }],
    number: [NUMBER, { kind: 'number', number: -1.5 }],
    numbers: [RANGE, { kind: 'numbers', low: 1, high: 2 }],
  } as const

  test.each(Object.entries(OPERATORS))('of operator %s are of the kind that it takes', (operator, rule) => {
    const [message, operands] = OPERANDS[rule.takes]
    const parsed = parseFilter(
      filter({ ...PLAN, value: '', operator: Number(operator), ...message }),
      CONTEXT,
    )
    expect(parsed).toMatchObject({ kind: 'match', operator: Number(operator), operands })
  })

  test.each<[string, Filter, string]>([
    ['no text', { operator: FilterOperator.EQUALS, value: '' }, 'value'],
    ['an empty list', { operator: FilterOperator.IN, values: [] }, 'values'],
    ['an empty text in a list', { operator: FilterOperator.NOT_IN, values: ['a', ''] }, 'values'],
    ['no number', { operator: FilterOperator.LT, value: '' }, 'value'],
    ['an exponent', { operator: FilterOperator.LT, value: '1e3' }, 'value'],
    ['a leading plus', { operator: FilterOperator.GT, value: '+1' }, 'value'],
    ['a number that is not finite', { operator: FilterOperator.GTE, value: '9'.repeat(400) }, 'value'],
    ['one bound', { operator: FilterOperator.BETWEEN, values: ['1'] }, 'values'],
    ['three bounds', { operator: FilterOperator.BETWEEN, values: ['1', '2', '3'] }, 'values'],
    ['a bound that is text', { operator: FilterOperator.BETWEEN, values: ['1', 'b'] }, 'values[1]'],
    ['bounds in the wrong order', { operator: FilterOperator.NOT_BETWEEN, values: ['2', '1'] }, 'values'],
  ])('%s is rejected', (_, message, field) => {
    expect(violationOf(() => parseFilter(filter({ property: 'a', ...message }), CONTEXT))).toMatchObject([
      { field: `filters.${field}` },
    ])
  })

  test('equal bounds are a range', () => {
    const message = { property: 'a', operator: FilterOperator.BETWEEN, values: ['1', '1'] }
    expect(parseFilter(filter(message), CONTEXT)).toMatchObject({ operands: { low: 1, high: 1 } })
  })
})

describe('a property', () => {
  const sourced = (property: string, source: PropertySource) => filter({ ...PLAN, property, source })

  test.each(['', ' ', 'a b', 'a..b', '.a', '$', '$$a', 'a.$b', "a'"])('%j is not a name', (property) => {
    expect(violationOf(() => parseFilter(filter({ ...PLAN, property }), CONTEXT))).toMatchObject([
      { field: 'filters.property' },
    ])
  })

  test.each([
    ['plan', PropertySource.UNSPECIFIED, 'maps'],
    ['plan', PropertySource.CUSTOM, 'maps'],
    ['plan', PropertySource.PROFILE, 'trait'],
    ['$country', PropertySource.AUTO, 'column'],
  ] as const)('%s from source %s is of %s', (property, source, home) => {
    expect(parseFilter(sourced(property, source), CONTEXT)).toMatchObject({
      property: { home, key: property },
    })
  })

  test.each([
    ['plan', PropertySource.AUTO],
    ['$country', PropertySource.CUSTOM],
  ] as const)('%s is not of source %s', (property, source) => {
    expect(violationOf(() => parseFilter(sourced(property, source), CONTEXT))).toMatchObject([
      { field: 'filters.property' },
    ])
  })

  test('has the default source of its list when it names none', () => {
    const context = { ...CONTEXT, sourceDefault: PropertySource.PROFILE }
    expect(parseFilter(filter(PLAN), context)).toMatchObject({ property: { home: 'trait' } })
    expect(parseFilter(sourced('plan', PropertySource.CUSTOM), context)).toMatchObject({
      property: { home: 'maps' },
    })
  })
})

test.each([FilterOperator.UNSPECIFIED, Number('99')])('operator %s is rejected', (operator) => {
  expect(violationOf(() => parseFilter(filter({ ...PLAN, operator }), CONTEXT))).toEqual([
    { field: 'filters.operator', description: 'is required' },
  ])
})
