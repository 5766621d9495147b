import { FilterOperator } from '../../contract/gen/common/v1/filter_pb.js'
import type { OPERATORS, Operands, Operator } from '../../domain/insights/condition.ts'
import { float64Codec, stringArrayCodec, stringCodec } from '../sql/codec.ts'
import { param, type Sql, sql } from '../sql/sql.ts'

/** The value of a property: its text (empty when missing) and its number (NULL when it has none). */
export interface ValueSql {
  readonly text: Sql
  readonly number: Sql
  /** A cheaper expression for comparisons: it equals one of the given texts exactly when `text` does. */
  readonly textAmong?: (texts: readonly string[]) => Sql
}

const text = (value: string): Sql => sql`${param(stringCodec, value)}`
const texts = (values: readonly string[]): Sql => sql`${param(stringArrayCodec, values)}`
const number = (value: number): Sql => sql`${param(float64Codec, value)}`

const among = (value: ValueSql, candidates: readonly string[]): Sql =>
  value.textAmong?.(candidates) ?? value.text

/** Compiles an operator, given operands of the kind that it takes. */
type Match<O extends Operator> = (
  value: ValueSql,
  operands: Extract<Operands, { kind: (typeof OPERATORS)[O]['takes'] }>,
) => Sql

const MATCHES: { readonly [O in Operator]: Match<O> } = {
  [FilterOperator.EQUALS]: (value, operands) =>
    sql`${among(value, [operands.text])} = ${text(operands.text)}`,
  [FilterOperator.NOT_EQUALS]: (value, operands) =>
    sql`${among(value, [operands.text])} != ${text(operands.text)}`,
  [FilterOperator.CONTAINS]: (value, operands) => sql`position(${value.text}, ${text(operands.text)}) > 0`,
  [FilterOperator.NOT_CONTAINS]: (value, operands) =>
    sql`position(${value.text}, ${text(operands.text)}) = 0`,
  [FilterOperator.IS_SET]: (value) => sql`${value.text} != ''`,
  [FilterOperator.IS_NOT_SET]: (value) => sql`${value.text} = ''`,
  [FilterOperator.IN]: (value, operands) => sql`${among(value, operands.texts)} IN ${texts(operands.texts)}`,
  [FilterOperator.NOT_IN]: (value, operands) =>
    sql`${among(value, operands.texts)} NOT IN ${texts(operands.texts)}`,
  [FilterOperator.LT]: (value, operands) => sql`ifNull(${value.number} < ${number(operands.number)}, 0)`,
  [FilterOperator.LTE]: (value, operands) => sql`ifNull(${value.number} <= ${number(operands.number)}, 0)`,
  [FilterOperator.GT]: (value, operands) => sql`ifNull(${value.number} > ${number(operands.number)}, 0)`,
  [FilterOperator.GTE]: (value, operands) => sql`ifNull(${value.number} >= ${number(operands.number)}, 0)`,
  [FilterOperator.BETWEEN]: (value, { low, high }) =>
    sql`ifNull(${value.number} BETWEEN ${number(low)} AND ${number(high)}, 0)`,
  [FilterOperator.NOT_BETWEEN]: (value, { low, high }) =>
    sql`ifNull(${value.number} NOT BETWEEN ${number(low)} AND ${number(high)}, 0)`,
}

const WHOLE_TEXT_OPERATORS: ReadonlySet<Operator> = new Set([
  FilterOperator.EQUALS,
  FilterOperator.NOT_EQUALS,
  FilterOperator.IN,
  FilterOperator.NOT_IN,
])

/** The texts that an operator compares a value with as a whole, by {@link ValueSql.textAmong}; `undefined` for any other. */
export function textsCompared(operator: Operator, operands: Operands): readonly string[] | undefined {
  if (!WHOLE_TEXT_OPERATORS.has(operator)) return undefined
  return operands.kind === 'text' ? [operands.text] : operands.kind === 'texts' ? operands.texts : undefined
}

/** Compiles an operator with its operands, which are of the kind that it takes, to a condition on a value. */
export function matchValue(operator: Operator, operands: Operands, value: ValueSql): Sql {
  // The parser guarantees the kind of the operands; the type checker cannot correlate the pair.
  return (MATCHES[operator] as (value: ValueSql, operands: Operands) => Sql)(value, operands)
}
