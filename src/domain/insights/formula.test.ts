import { create } from '@bufbuild/protobuf'
import { describe, expect, test } from 'vitest'
import { FormulaSchema } from '../../contract/gen/millrace/insights/v1/formula_pb.js'
import { ServiceError } from '../../contract/service-error.ts'
import { evaluate, type Formula, parseFormulas } from './formula.ts'

function parse(expression: string, seriesCount = 2): Formula {
  const [formula] = parseFormulas([create(FormulaSchema, { expression })], { seriesCount })
  if (!formula) throw new Error('a formula was given')
  return formula
}

/** The value where A is 6 and B is 4. */
function value(expression: string): number | undefined {
  return evaluate(parse(expression).root, (series) => [6, 4][series] ?? Number.NaN)
}

function mistake(expression: string): string {
  try {
    parse(expression)
    return 'accepted'
  } catch (error) {
    if (error instanceof ServiceError) return error.message.replace('spec.formulas[0].expression: ', '')
    throw error
  }
}

test.each<[expression: string, expected: number]>([
  ['A', 6],
  ['A - B - 1', 1],
  ['A - (B - 1)', 3],
  ['A / B / 2', 0.75],
  ['A / (B / 2)', 3],
  ['1 + A * B', 25],
  ['(1 + A) * B', 28],
  ['-A * B', -24],
  ['A - -B', 10],
  ['---A', -6],
  ['A * -B', -24],
  ['min(A, B) + max(A, B) * abs(-2.5)', 19],
  ['abs(min(B - A, 1))', 2],
  ['100*B/A', 400 / 6],
  ['\tA\n', 6],
  ['0 * -A', 0],
])('%j is %d', (expression, expected) => {
  expect(value(expression)).toBe(expected)
})

test.each([
  'A / 0',
  '0 / 0',
  '0 * (A / 0)',
  '1 / (1 / 0)',
  'min(A, B / 0)',
  'max(A / (A - 6), 1)',
  `1${'0'.repeat(309)}`,
  `1 / ${'9'.repeat(310)}`,
  `1${'0'.repeat(300)} * 1${'0'.repeat(99)}`,
])('%s is undefined', (expression) => {
  expect(value(expression)).toBeUndefined()
})

test('a metric that is beyond the doubles makes a formula undefined', () => {
  expect(evaluate(parse('1 / A').root, () => Number.POSITIVE_INFINITY)).toBeUndefined()
})

test('the series that a formula names are listed once, in their order', () => {
  expect(parse('C * (A + C) / 2', 3).named).toEqual([0, 2])
  expect(parse('1 + 1').named).toEqual([])
})

describe('a mistake is named with its position', () => {
  test.each([
    ['', 'is required'],
    ['C', 'position 1: unknown series C; the query has 2 series'],
    ['A + a', 'position 5: unknown name a; expected a series (A to Z) or a function (min, max, abs)'],
    ['AB', 'position 1: unknown name AB; expected a series (A to Z) or a function (min, max, abs)'],
    ['A B', 'position 3: unexpected B; expected an operator'],
    ['A +', 'position 4: unexpected end of the formula; expected a number, a series or a parenthesis'],
    ['+ A', 'position 1: unexpected +; expected a number, a series or a parenthesis'],
    ['(A', 'position 3: unexpected end of the formula; expected )'],
    ['A)', 'position 2: unexpected ); expected an operator'],
    ['min(A)', 'position 6: unexpected ); expected ,'],
    ['max A', 'position 5: unexpected A; expected ('],
    ['abs(A, B)', 'position 6: unexpected ,; expected )'],
    [
      'toString',
      'position 1: unknown name toString; expected a series (A to Z) or a function (min, max, abs)',
    ],
    ['1.', 'position 2: unexpected character "."'],
    ['A × B', 'position 3: unexpected character "×"'],
    ['A + \u{1f600}', 'position 5: unexpected character "\u{1f600}"'],
  ])('%j', (expression, expected) => {
    expect(mistake(expression)).toBe(expected)
  })
})

test('twenty parentheses may be nested, and 500 characters are a formula', () => {
  expect(mistake(`${'('.repeat(20)}A${')'.repeat(20)}`)).toBe('accepted')
  expect(mistake(`${'('.repeat(21)}A${')'.repeat(21)}`)).toContain('position 21: parentheses must be nested')
  expect(mistake(`${'(A)+'.repeat(124)}AAAA`)).toContain('unknown name AAAA')
  expect(mistake(`A${'+A'.repeat(249)} `)).toBe('accepted')
  expect(mistake(`A${'+A'.repeat(250)}`)).toBe('must be at most 500 characters')
})

test('formulas need series to name', () => {
  expect(() => parse('1', 0)).toThrow('spec.formulas: needs events to compute with')
})
