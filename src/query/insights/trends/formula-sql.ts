import type { BinaryKind, Expression } from '../../../domain/insights/formula.ts'
import { float64Codec } from '../../sql/codec.ts'
import { param, type Sql, sql } from '../../sql/sql.ts'

/** How tightly a piece of a statement binds: chains of one level need no parentheses, and so do not nest. */
type Level = 'sum' | 'product' | 'atom'

interface Piece {
  readonly level: Level
  readonly text: Sql
}

/**
 * An expression over doubles as SQL. It is not finite where the expression is undefined: sums and products of what is not
 * finite are not finite either, and operations that could hide it are guarded. The doubles are those of `evaluate`.
 */
export function formulaSql(expression: Expression, valueFor: (series: number) => Sql): Sql {
  return print(expression, valueFor).text
}

function print(expression: Expression, valueFor: (series: number) => Sql): Piece {
  switch (expression.kind) {
    case 'number': {
      const { value } = expression
      return atom(Number.isFinite(value) ? sql`${param(float64Codec, value)}` : sql`nan`)
    }
    case 'series':
      return atom(valueFor(expression.index))
    case 'negate':
      return atom(sql`negate(${print(expression.of, valueFor).text})`)
    case 'abs':
      return atom(sql`abs(${print(expression.of, valueFor).text})`)
    default:
      return BINARY[expression.kind](print(expression.left, valueFor), print(expression.right, valueFor))
  }
}

const BINARY = {
  '+': (left, right) => ({ level: 'sum', text: sql`${left.text} + ${within(right, ['product', 'atom'])}` }),
  '-': (left, right) => ({ level: 'sum', text: sql`${left.text} - ${within(right, ['product', 'atom'])}` }),
  '*': (left, right) => ({
    level: 'product',
    text: sql`${within(left, ['product', 'atom'])} * ${within(right, ['atom'])}`,
  }),
  // A division by what is not finite would be finite.
  '/': (left, right) => ({
    level: 'product',
    text: sql`${within(left, ['product', 'atom'])} / ifNotFinite(${right.text}, 0.)`,
  }),
  min: (left, right) => atom(choose(sql`least`, left, right)),
  max: (left, right) => atom(choose(sql`greatest`, left, right)),
} as const satisfies Record<BinaryKind, (left: Piece, right: Piece) => Piece>

/** A lambda names both values, so that neither is written twice. */
function choose(name: Sql, left: Piece, right: Piece): Sql {
  return sql`arrayElement(arrayMap((x, y) -> if(isFinite(x) AND isFinite(y), ${name}(x, y), nan), [${left.text}], [${right.text}]), 1)`
}

function within({ level, text }: Piece, levels: readonly Level[]): Sql {
  return levels.includes(level) ? text : sql`(${text})`
}

function atom(text: Sql): Piece {
  return { level: 'atom', text }
}
