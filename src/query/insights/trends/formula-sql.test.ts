import { create } from '@bufbuild/protobuf'
import { expect, test } from 'vitest'
import { FormulaSchema } from '../../../contract/gen/millrace/insights/v1/formula_pb.js'
import { parseFormulas } from '../../../domain/insights/formula.ts'
import { numbered, render } from '../../sql/sql.ts'
import { formulaSql } from './formula-sql.ts'

/** The SQL of a formula, with its numbers by placeholder. */
function compile(expression: string): readonly [text: string, ...numbers: unknown[]] {
  const [formula] = parseFormulas([create(FormulaSchema, { expression })], { seriesCount: 3 })
  if (!formula) throw new Error('a formula was given')
  const { text, params } = render(formulaSql(formula.root, (index) => numbered('total', index)))
  return [text, ...Object.values(params)]
}

test('chains of one level have no parentheses, others have them', () => {
  expect(compile('A - B - C + 1')).toEqual(['total0 - total1 - total2 + {p0:Float64}', 1])
  expect(compile('A - (B - C)')).toEqual(['total0 - (total1 - total2)'])
  expect(compile('A + B * C')).toEqual(['total0 + total1 * total2'])
  expect(compile('(A + B) * (B + C) * -C')).toEqual([
    '(total0 + total1) * (total1 + total2) * negate(total2)',
  ])
  expect(compile('A * (B * C)')).toEqual(['total0 * (total1 * total2)'])
})

test('what is not finite stays so through a division, a minimum and a maximum', () => {
  expect(compile('A / B / 2')).toEqual([
    'total0 / ifNotFinite(total1, 0.) / ifNotFinite({p0:Float64}, 0.)',
    2,
  ])
  expect(compile('A / (B / C)')).toEqual(['total0 / ifNotFinite(total1 / ifNotFinite(total2, 0.), 0.)'])
  expect(compile('min(A, B)')).toEqual([
    'arrayElement(arrayMap((x, y) -> if(isFinite(x) AND isFinite(y), least(x, y), nan), [total0], [total1]), 1)',
  ])
  expect(compile(`A + 1${'0'.repeat(400)}`)).toEqual(['total0 + nan'])
})
