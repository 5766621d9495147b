import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type FilterDraft, newFilter, OPERATORS, type Operator } from '../../picker/filter-draft.ts'
import {
  decodeFilter,
  decodeGroups,
  encodeFilter,
  encodeGroups,
  parseFilters,
  pathOfFilter,
  writeFilters,
} from './filters.ts'

const complete: FilterDraft = { ...newFilter(), property: '$browser', values: ['Firefox'] }
const incomplete: FilterDraft = { ...newFilter(), property: '$browser' }

/** Filters with as many values as their operator takes, none of them empty. */
const filters = fc
  .record({
    property: fc.string({ minLength: 1 }),
    operator: fc.constantFrom(...(Object.keys(OPERATORS) as Operator[])),
    values: fc.array(fc.string({ minLength: 1 }), { minLength: 3, maxLength: 3 }),
    source: fc.constantFrom<FilterDraft['source']>('PROPERTY_SOURCE_AUTO', 'PROPERTY_SOURCE_PROFILE'),
  })
  .map(({ property, operator, values, source }): FilterDraft => {
    const count = { none: 0, one: 1, two: 2, many: 3 }[OPERATORS[operator].takes]
    return { property, operator, values: values.slice(0, count), source }
  })

describe('filters', () => {
  test('survive their encoding', () => {
    fc.assert(
      fc.property(filters, (filter) => {
        expect(decodeFilter(encodeFilter(filter))).toEqual(filter)
      }),
    )
  })

  test('without a value are incomplete unless their operator takes none', () => {
    const isSet: FilterDraft = { ...incomplete, operator: 'FILTER_OPERATOR_IS_SET' }
    const { filterGroups } = encodeGroups(
      [{ operator: 'LOGICAL_OPERATOR_AND', filters: [incomplete, complete, isSet, newFilter()] }],
      'LOGICAL_OPERATOR_AND',
    )
    expect(filterGroups).toEqual([
      { operator: 'LOGICAL_OPERATOR_AND', filters: [encodeFilter(complete), encodeFilter(isSet)] },
    ])
  })

  test('that are incomplete have no index in the request', () => {
    const list = [incomplete, complete, incomplete, complete]
    expect(list.map((_, index) => pathOfFilter('filters', list, index))).toEqual([
      'filters[0]',
      'filters[0]',
      'filters[1]',
      'filters[1]',
    ])
  })

  test('without a source get that of their name', () => {
    expect(decodeFilter({ property: '$os' }).source).toBe('PROPERTY_SOURCE_AUTO')
    expect(decodeFilter({ property: 'plan' }).source).toBe('PROPERTY_SOURCE_CUSTOM')
  })
})

describe('groups of filters', () => {
  test('are left out while they have no complete filter', () => {
    expect(
      encodeGroups([{ operator: 'LOGICAL_OPERATOR_OR', filters: [incomplete] }], 'LOGICAL_OPERATOR_OR'),
    ).toEqual({})
  })

  test('survive their encoding', () => {
    const groups = [
      { operator: 'LOGICAL_OPERATOR_OR' as const, filters: [complete] },
      { operator: 'LOGICAL_OPERATOR_AND' as const, filters: [complete, complete] },
    ]
    const encoded = encodeGroups(groups, 'LOGICAL_OPERATOR_OR')
    expect(decodeGroups(encoded)).toEqual({ groups, groupsOperator: 'LOGICAL_OPERATOR_OR' })
  })
})

describe('filters in an address', () => {
  test('are read as they were written', () => {
    expect(parseFilters(writeFilters([complete, incomplete]))).toEqual([complete, incomplete])
    expect(writeFilters([])).toBe('')
  })

  test.each([
    null,
    '',
    'no JSON',
    '{}',
    '[1, null, "a"]',
    JSON.stringify([{ ...complete, operator: 'toString' }]),
    JSON.stringify([{ ...complete, source: 'SOMEWHERE' }]),
    JSON.stringify([{ ...complete, values: 'Firefox' }]),
  ])('are none in %j', (text) => {
    expect(parseFilters(text)).toEqual([])
  })
})
