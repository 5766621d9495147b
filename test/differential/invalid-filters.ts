import type { JsonObject } from '@bufbuild/protobuf'

/** A condition that breaks one rule. */
export interface InvalidFilter {
  readonly name: string
  readonly filter: JsonObject
}

const property = 'plan'

/** Texts that are no property name. */
export const INVALID_PROPERTY_NAMES = [
  '',
  '$',
  '$$a',
  'a b',
  'a..b',
  '.a',
  'a.',
  'a.$b',
  'a/b',
  "a'b",
  '\u00e4',
  'a\n',
] as const

// The exponent is left out: `1e5` is a number to many.
const NO_NUMBERS = [
  'abc',
  'nan',
  'NaN',
  'inf',
  'Infinity',
  ' 12',
  '12 ',
  '0x10',
  '-',
  '1,5',
  '1 2',
  '9'.repeat(400),
]

const TAKE_VALUE = ['EQUALS', 'NOT_EQUALS', 'CONTAINS', 'NOT_CONTAINS', 'LTE', 'GTE', 'LT', 'GT']
const TAKE_NUMBER = ['LTE', 'GTE', 'LT', 'GT']
const TAKE_VALUES = ['IN', 'NOT_IN']
const TAKE_BOUNDS = ['BETWEEN', 'NOT_BETWEEN']

const operatorOf = (name: string): string => `FILTER_OPERATOR_${name}`

/** Every rule of one condition, with a condition that breaks it and no other. */
export function invalidFilters(): readonly InvalidFilter[] {
  const equal = { property, operator: operatorOf('EQUALS'), value: 'x' }
  return [
    { name: 'a filter needs an operator', filter: { property, value: 'x' } },
    { name: 'a filter needs a known operator', filter: { ...equal, operator: 99 } },
    { name: 'a filter needs a known source', filter: { ...equal, source: 99 } },
    {
      name: 'an auto property starts with $',
      filter: { ...equal, source: 'PROPERTY_SOURCE_AUTO' },
    },
    ...INVALID_PROPERTY_NAMES.map((name) => ({
      name: `${JSON.stringify(name)} is no property name`,
      filter: { ...equal, property: name },
    })),
    ...TAKE_VALUE.flatMap(missingValue),
    ...TAKE_NUMBER.flatMap(noNumber),
    ...TAKE_VALUES.flatMap(badList),
    ...TAKE_BOUNDS.flatMap(badBounds),
  ]
}

function missingValue(name: string): readonly InvalidFilter[] {
  const operator = operatorOf(name)
  return [
    { name: `${name} needs a value`, filter: { property, operator } },
    { name: `${name} needs a value that is not empty`, filter: { property, operator, value: '' } },
    { name: `${name} does not take values`, filter: { property, operator, values: ['1'] } },
  ]
}

function noNumber(name: string): readonly InvalidFilter[] {
  const operator = operatorOf(name)
  return NO_NUMBERS.map((value) => ({
    name: `${name} does not take ${JSON.stringify(value.slice(0, 20))}`,
    filter: { property, operator, value },
  }))
}

function badList(name: string): readonly InvalidFilter[] {
  const operator = operatorOf(name)
  return [
    { name: `${name} needs values`, filter: { property, operator } },
    { name: `${name} needs values and not a value`, filter: { property, operator, value: 'x' } },
    { name: `${name} takes no empty text`, filter: { property, operator, values: ['x', ''] } },
  ]
}

function badBounds(name: string): readonly InvalidFilter[] {
  const operator = operatorOf(name)
  const withValues = (values: readonly string[]): JsonObject => ({ property, operator, values: [...values] })
  return [
    { name: `${name} needs two values, not none`, filter: withValues([]) },
    { name: `${name} needs two values, not one`, filter: withValues(['1']) },
    { name: `${name} needs two values, not three`, filter: withValues(['1', '2', '3']) },
    { name: `${name} takes no empty text`, filter: withValues(['', '2']) },
    { name: `${name} needs its values in order`, filter: withValues(['10', '9']) },
    ...NO_NUMBERS.flatMap((value) => [
      {
        name: `${name} does not start at ${JSON.stringify(value.slice(0, 20))}`,
        filter: withValues([value, '5']),
      },
      {
        name: `${name} does not end at ${JSON.stringify(value.slice(0, 20))}`,
        filter: withValues(['5', value]),
      },
    ]),
  ]
}
