import { PropertyValueType } from '@contract/common/v1/property_pb.js'
import { describe, expect, test } from 'vitest'
import type { Operator } from './filter-draft.ts'
import {
  findForm,
  operatorsOf,
  parseNumber,
  takesNumbers,
  type ValueType,
  valueTypeOf,
} from './value-types.ts'

test('every type of the service has a value type', () => {
  const { STRING, INTEGER, FLOAT, BOOLEAN, DATETIME, OTHER } = PropertyValueType
  expect([STRING, INTEGER, FLOAT, BOOLEAN, DATETIME, OTHER].map(valueTypeOf)).toEqual([
    'text',
    'number',
    'number',
    'yes or no',
    'date',
    'text',
  ])
})

describe('the operators of a value type', () => {
  test('compare sizes of numbers only', () => {
    const comparing = (['text', 'number', 'date', 'yes or no'] as const).filter((type: ValueType) =>
      operatorsOf(type).some(({ operator }) => operator === 'FILTER_OPERATOR_GT'),
    )
    expect(comparing).toEqual(['number'])
  })

  test('of yes or no include their value', () => {
    const equals = { operator: 'FILTER_OPERATOR_EQUALS', values: ['false'] } as const
    expect(findForm(equals, 'yes or no').name).toBe('picker.isFalse')
    expect(findForm({ ...equals, values: ['true'] }, 'yes or no').name).toBe('picker.isTrue')
    expect(findForm({ ...equals, values: ['maybe'] }, 'yes or no').name).toBe('picker.is')
  })

  test('keep their words on another type', () => {
    const contains = { operator: 'FILTER_OPERATOR_CONTAINS', values: ['1'] } as const
    expect(findForm(contains, 'number').name).toBe('picker.contains')
    expect(findForm({ operator: 'FILTER_OPERATOR_EQUALS', values: ['1'] }, 'number').name).toBe(
      'picker.equals',
    )
  })
})

test.each<[Operator, ValueType, boolean]>([
  ['FILTER_OPERATOR_GT', 'text', true],
  ['FILTER_OPERATOR_NOT_BETWEEN', 'number', true],
  ['FILTER_OPERATOR_EQUALS', 'number', true],
  ['FILTER_OPERATOR_IN', 'number', false],
  ['FILTER_OPERATOR_EQUALS', 'text', false],
])('%s of %s takes typed numbers: %j', (operator, type, expected) => {
  expect(takesNumbers(operator, type)).toBe(expected)
})

describe('a typed number', () => {
  test.each([
    ['12', '12'],
    [' 12.50 ', '12.5'],
    ['-0', '0'],
    ['.5', '0.5'],
    ['1e3', '1000'],
    ['007', '7'],
    ['12345678901234567890', '12345678901234567890'],
  ])('%j is compared as %s', (typed, expected) => {
    expect(parseNumber(typed)).toBe(expected)
  })

  test.each(['', 'much', '1,5', '0x10', '1e999', 'Infinity', '--1', '1 2'])('%j is none', (typed) => {
    expect(parseNumber(typed)).toBeUndefined()
  })
})
