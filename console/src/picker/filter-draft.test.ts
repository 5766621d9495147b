import { describe, expect, test } from 'vitest'
import { type FilterDraft, isComplete, keepValues, moveEntry, newFilter } from './filter-draft.ts'

const price: FilterDraft = { ...newFilter(), property: 'price', source: 'PROPERTY_SOURCE_CUSTOM' }

describe('a filter', () => {
  test.each<[FilterDraft['operator'], readonly string[], boolean]>([
    ['FILTER_OPERATOR_EQUALS', [], false],
    ['FILTER_OPERATOR_EQUALS', [' '], false],
    ['FILTER_OPERATOR_EQUALS', ['5'], true],
    ['FILTER_OPERATOR_IN', [''], false],
    ['FILTER_OPERATOR_IN', ['a', 'b', 'c'], true],
    ['FILTER_OPERATOR_BETWEEN', ['1'], false],
    ['FILTER_OPERATOR_BETWEEN', ['1', '2'], true],
    ['FILTER_OPERATOR_IS_SET', [], true],
  ])('%s with %j is complete: %j', (operator, values, expected) => {
    expect(isComplete({ ...price, operator, values })).toBe(expected)
    expect(isComplete({ ...price, operator, values, property: '' })).toBe(false)
  })

  test('keeps as many values as its new operator takes', () => {
    const values = ['a', 'b', 'c']
    expect(keepValues(values, 'FILTER_OPERATOR_EQUALS')).toEqual(['a'])
    expect(keepValues(values, 'FILTER_OPERATOR_BETWEEN')).toEqual(['a', 'b'])
    expect(keepValues(values, 'FILTER_OPERATOR_NOT_IN')).toEqual(values)
    expect(keepValues(values, 'FILTER_OPERATOR_IS_NOT_SET')).toEqual([])
  })
})

test.each([
  [{ from: 0, to: 2 }, 'bca'],
  [{ from: 2, to: 0 }, 'cab'],
  [{ from: 1, to: 1 }, 'abc'],
  [{ from: 0, to: 3 }, 'abc'],
  [{ from: 0, to: -1 }, 'abc'],
  [{ from: 9, to: 0 }, 'abc'],
])('the move %j of abc gives %s', (move, expected) => {
  expect(moveEntry(['a', 'b', 'c'], move).join('')).toBe(expected)
})
