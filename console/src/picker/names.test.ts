import { describe, expect, test } from 'vitest'
import type { FilterDraft, Operator } from './filter-draft.ts'
import { conditionSentence, conditionWords, labelOfProperty } from './names.ts'
import type { ValueType } from './value-types.ts'

function filter(property: string, operator: Operator, ...values: readonly string[]): FilterDraft {
  const source = property.startsWith('$') ? 'PROPERTY_SOURCE_AUTO' : 'PROPERTY_SOURCE_CUSTOM'
  return { property, operator, values, source }
}

describe('a condition in words', () => {
  test.each<[FilterDraft, ValueType, string]>([
    [filter('$country', 'FILTER_OPERATOR_EQUALS', 'DE'), 'text', 'Country is Germany'],
    [
      filter('$country', 'FILTER_OPERATOR_IN', 'DE', 'AT', 'FR'),
      'text',
      'Country is any of Germany, Austria +1',
    ],
    [filter('price', 'FILTER_OPERATOR_GTE', '100'), 'number', 'price ≥ 100'],
    [filter('price', 'FILTER_OPERATOR_BETWEEN', '1', '2'), 'number', 'price is between 1 and 2'],
    [filter('price', 'FILTER_OPERATOR_BETWEEN', '1'), 'number', 'price is between 1 and …'],
    [filter('paid', 'FILTER_OPERATOR_EQUALS', 'true'), 'yes or no', 'paid is true'],
    [filter('plan', 'FILTER_OPERATOR_IS_NOT_SET'), 'text', 'plan is not set'],
    [filter('plan', 'FILTER_OPERATOR_EQUALS'), 'text', 'plan is …'],
  ])('%j of %s', (condition, type, expected) => {
    expect(conditionSentence(condition, type)).toBe(expected)
  })

  test('has no value where the operator includes it', () => {
    expect(conditionWords(filter('paid', 'FILTER_OPERATOR_EQUALS', 'false'), 'yes or no').value).toBe('')
  })
})

test('only properties of page and visit have names of their own', () => {
  const named = (property: string, source: FilterDraft['source']): string =>
    labelOfProperty({ property, source })
  expect(named('$pathname', 'PROPERTY_SOURCE_AUTO')).toBe('Path')
  expect(named('$pathname', 'PROPERTY_SOURCE_PROFILE')).toBe('$pathname')
  expect(named('$unheardOf', 'PROPERTY_SOURCE_AUTO')).toBe('$unheardOf')
})

test('a property of a first event is named with it', () => {
  const named = (property: string, source: FilterDraft['source']): string =>
    labelOfProperty({ property, source })
  expect(named('$channel', 'PROPERTY_SOURCE_SESSION_ENTRY')).toBe('Channel of the visit’s start')
  expect(named('$channel', 'PROPERTY_SOURCE_FIRST_TOUCH')).toBe('First-touch channel')
  expect(named('$utmSource', 'PROPERTY_SOURCE_FIRST_TOUCH')).toBe('First-touch UTM source')
  expect(named('Plan', 'PROPERTY_SOURCE_FIRST_TOUCH')).toBe('First-touch Plan')
  const country = {
    ...filter('$country', 'FILTER_OPERATOR_EQUALS', 'DE'),
    source: 'PROPERTY_SOURCE_FIRST_TOUCH',
  }
  expect(conditionSentence(country as FilterDraft, 'text')).toBe('First-touch country is Germany')
})
