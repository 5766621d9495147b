import type { Formula as FormulaMessage } from '../../contract/gen/millrace/insights/v1/formula_pb.js'
import { parseExpression } from './formula-parser.ts'
import { invalidSpec } from './insight-context.ts'

/** A series computed from the metrics of others. */
export interface Formula {
  /** The expression as the request has it. */
  readonly text: string
  readonly label: string
  readonly root: Expression
  /** The series that the expression names, by position, ascending. */
  readonly named: readonly number[]
}

/** An arithmetic expression over the values of series. */
export type Expression =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'series'; readonly index: number }
  | { readonly kind: 'negate' | 'abs'; readonly of: Expression }
  | { readonly kind: BinaryKind; readonly left: Expression; readonly right: Expression }

/** Operations of two operands. */
export type BinaryKind = '+' | '-' | '*' | '/' | 'min' | 'max'

const FORMULAS_MAX = 10
const TEXT_MAX = 500
const LABEL_MAX = 200

/** Parses the formulas of a query with a number of series. Throws `invalid_argument`. */
export function parseFormulas(
  formulas: readonly FormulaMessage[],
  { seriesCount }: { readonly seriesCount: number },
): readonly Formula[] {
  if (formulas.length > FORMULAS_MAX) throw invalidSpec('formulas', `must be at most ${FORMULAS_MAX}`)
  if (formulas.length > 0 && seriesCount === 0) throw invalidSpec('formulas', 'needs events to compute with')
  return formulas.map(({ expression, displayName }, index) => {
    const field = `formulas[${index}].expression`
    if (expression.trim() === '') throw invalidSpec(field, 'is required')
    if ([...expression].length > TEXT_MAX) throw invalidSpec(field, `must be at most ${TEXT_MAX} characters`)
    if ([...displayName].length > LABEL_MAX) {
      throw invalidSpec(`formulas[${index}].displayName`, `must be at most ${LABEL_MAX} characters`)
    }
    const root = parseExpression(expression, { field, seriesCount })
    return { text: expression, label: displayName, root, named: [...namesIn(root)].sort((a, b) => a - b) }
  })
}

function namesIn(expression: Expression, names: Set<number> = new Set()): ReadonlySet<number> {
  if (expression.kind === 'series') names.add(expression.index)
  if ('of' in expression) namesIn(expression.of, names)
  if ('left' in expression) {
    namesIn(expression.left, names)
    namesIn(expression.right, names)
  }
  return names
}

/** The value of an expression; `undefined` if anything in it divides by zero or is beyond the doubles. */
export function evaluate(expression: Expression, valueFor: (series: number) => number): number | undefined {
  const value = compute(expression, valueFor)
  // Adding 0 turns -0 into 0.
  return value === undefined ? undefined : value + 0
}

function compute(expression: Expression, valueFor: (series: number) => number): number | undefined {
  switch (expression.kind) {
    case 'number':
      return finite(expression.value)
    case 'series':
      return finite(valueFor(expression.index))
    case 'negate':
    case 'abs': {
      const value = compute(expression.of, valueFor)
      if (value === undefined) return undefined
      return expression.kind === 'abs' ? Math.abs(value) : -value
    }
    default: {
      const left = compute(expression.left, valueFor)
      const right = compute(expression.right, valueFor)
      if (left === undefined || right === undefined) return undefined
      return finite(BINARY[expression.kind](left, right))
    }
  }
}

/** Division by zero is never finite: n / 0 is infinite, 0 / 0 is no number. */
const BINARY = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
  min: Math.min,
  max: Math.max,
} as const satisfies Record<BinaryKind, (left: number, right: number) => number>

function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined
}
