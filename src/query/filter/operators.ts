import { FilterOperator } from '../../contract/gen/common/v1/filter_pb.js'
import { float64Codec, stringArrayCodec, stringCodec } from '../sql/codec.ts'
import { param, type Sql, sql } from '../sql/sql.ts'

/** The operators that a filter may name. */
export type Operator = Exclude<FilterOperator, FilterOperator.UNSPECIFIED>

/** What a property reads as: text (empty when missing) and number (NULL when it has none). */
export interface ValueSql {
  readonly text: Sql
  readonly number: Sql
  /** A cheaper reading for a comparison: it is one of the given texts exactly when `text` is that text. */
  readonly textAmong?: (texts: readonly string[]) => Sql
}

/** A filter's operands, of the kind that its operator takes. */
export type Operands =
  | { readonly kind: 'none' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'texts'; readonly texts: readonly string[] }
  | { readonly kind: 'number'; readonly number: number }
  | { readonly kind: 'numbers'; readonly low: number; readonly high: number }

/** What an operator means: what it takes, whether a missing property matches, and the condition. */
export type OperatorRule = Rule<'none'> | Rule<'text'> | Rule<'texts'> | Rule<'number'> | Rule<'numbers'>

interface Rule<Kind extends Operands['kind']> {
  readonly takes: Kind
  readonly matchesMissing: boolean
  readonly matches: (value: ValueSql, operands: Extract<Operands, { kind: Kind }>) => Sql
}

const text = (value: string): Sql => sql`${param(stringCodec, value)}`
const texts = (values: readonly string[]): Sql => sql`${param(stringArrayCodec, values)}`
const number = (value: number): Sql => sql`${param(float64Codec, value)}`

const among = (value: ValueSql, candidates: readonly string[]): Sql =>
  value.textAmong?.(candidates) ?? value.text

/** Every operator (semantics.md section 3, "Filters"). */
export const OPERATORS = {
  [FilterOperator.EQUALS]: {
    takes: 'text',
    matchesMissing: false,
    matches: (value, operands) => sql`${among(value, [operands.text])} = ${text(operands.text)}`,
  },
  [FilterOperator.NOT_EQUALS]: {
    takes: 'text',
    matchesMissing: true,
    matches: (value, operands) => sql`${among(value, [operands.text])} != ${text(operands.text)}`,
  },
  [FilterOperator.CONTAINS]: {
    takes: 'text',
    matchesMissing: false,
    matches: (value, operands) => sql`position(${value.text}, ${text(operands.text)}) > 0`,
  },
  [FilterOperator.NOT_CONTAINS]: {
    takes: 'text',
    matchesMissing: true,
    matches: (value, operands) => sql`position(${value.text}, ${text(operands.text)}) = 0`,
  },
  [FilterOperator.IS_SET]: {
    takes: 'none',
    matchesMissing: false,
    matches: (value) => sql`${value.text} != ''`,
  },
  [FilterOperator.IS_NOT_SET]: {
    takes: 'none',
    matchesMissing: true,
    matches: (value) => sql`${value.text} = ''`,
  },
  [FilterOperator.IN]: {
    takes: 'texts',
    matchesMissing: false,
    matches: (value, operands) => sql`${among(value, operands.texts)} IN ${texts(operands.texts)}`,
  },
  [FilterOperator.NOT_IN]: {
    takes: 'texts',
    matchesMissing: true,
    matches: (value, operands) => sql`${among(value, operands.texts)} NOT IN ${texts(operands.texts)}`,
  },
  [FilterOperator.LT]: {
    takes: 'number',
    matchesMissing: false,
    matches: (value, operands) => sql`ifNull(${value.number} < ${number(operands.number)}, 0)`,
  },
  [FilterOperator.LTE]: {
    takes: 'number',
    matchesMissing: false,
    matches: (value, operands) => sql`ifNull(${value.number} <= ${number(operands.number)}, 0)`,
  },
  [FilterOperator.GT]: {
    takes: 'number',
    matchesMissing: false,
    matches: (value, operands) => sql`ifNull(${value.number} > ${number(operands.number)}, 0)`,
  },
  [FilterOperator.GTE]: {
    takes: 'number',
    matchesMissing: false,
    matches: (value, operands) => sql`ifNull(${value.number} >= ${number(operands.number)}, 0)`,
  },
  [FilterOperator.BETWEEN]: {
    takes: 'numbers',
    matchesMissing: false,
    matches: (value, { low, high }) =>
      sql`ifNull(${value.number} BETWEEN ${number(low)} AND ${number(high)}, 0)`,
  },
  [FilterOperator.NOT_BETWEEN]: {
    takes: 'numbers',
    matchesMissing: false,
    matches: (value, { low, high }) =>
      sql`ifNull(${value.number} NOT BETWEEN ${number(low)} AND ${number(high)}, 0)`,
  },
} as const satisfies Record<Operator, OperatorRule>

/** The condition that an operator with its operands puts on a value. The operands are of the operator's kind. */
export function matchValue(operator: Operator, operands: Operands, value: ValueSql): Sql {
  const rule: OperatorRule = OPERATORS[operator]
  // The parser made the operands of the kind that the rule takes; the compiler cannot follow the pair.
  return (rule.matches as (value: ValueSql, operands: Operands) => Sql)(value, operands)
}
