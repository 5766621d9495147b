import type { JsonObject } from '@bufbuild/protobuf'
import type { BrokenRule } from './insight-type.ts'
import { EVENT, SHARED_VALUES } from './invalid-parts.ts'

/** Texts that are no formula over one series. */
const MISTAKES: readonly string[] = [
  '',
  ' ',
  'a',
  'B',
  'AA',
  'A B',
  'A +',
  '+ A',
  'A + + A',
  '(A',
  'A)',
  '()',
  '(A))',
  'A,A',
  'min',
  'min A',
  'min(A)',
  'min(A, A, A)',
  'max()',
  'abs(A, A)',
  'ABS(A)',
  'sum(A)',
  '1.',
  '.5',
  '1e5',
  '1 2',
  'A ^ 2',
  'A % 2',
  'A ** A',
  'A; A',
  '$A',
  'A \u00d7 2',
  '\u0410',
  `${'('.repeat(21)}A${')'.repeat(21)}`,
  `${'abs('.repeat(21)}A${')'.repeat(21)}`,
  `A${'+A'.repeat(250)}`,
]

/** The rules of formulas in a type that has them. */
export function formulaRules(type: string): readonly BrokenRule[] {
  const events = [EVENT]
  const of = (...expressions: readonly string[]): JsonObject => ({
    formulas: expressions.map((expression) => ({ expression })),
  })
  return [
    ...MISTAKES.map((text) => ({
      name: `${JSON.stringify(text).slice(0, 30)} is no formula of ${type}`,
      fields: { events, ...of(text) },
    })),
    { name: `${type} has ten formulas at most`, fields: { events, ...of(...'AAAAAAAAAAA') } },
    { name: `a formula of ${type} needs events`, fields: of('1') },
    { name: `a formula of ${type} has no sessions`, fields: { session: SHARED_VALUES.session, ...of('1') } },
    {
      name: `a formula of ${type} has a short name`,
      fields: { events, formulas: [{ expression: 'A', displayName: 'a'.repeat(201) }] },
    },
  ]
}
