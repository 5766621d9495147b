import type { JsonObject } from '@bufbuild/protobuf'
import type { FormulaDraft } from './draft.ts'
import { type Json, listOf } from './json.ts'
import { seriesLetter } from './series.ts'

/** Most formulas of a spec. */
export const FORMULAS_MAX = 10

/** The formulas of a spec in proto JSON; nothing when there are none. One that is not written yet is left out. */
export function encodeFormulas(formulas: readonly FormulaDraft[]): JsonObject {
  const written = formulas.filter(isWritten)
  if (written.length === 0) return {}
  return {
    formulas: written.map(({ expression, name }) => ({
      expression,
      ...(name !== '' && { displayName: name }),
    })),
  }
}

/** The draft of the formulas of a spec; nothing when it has none. */
export function decodeFormulas({ formulas }: Json): { readonly formulas?: readonly FormulaDraft[] } {
  const drafts = listOf(formulas).map(({ expression, displayName }) => ({
    expression: String(expression ?? ''),
    name: String(displayName ?? ''),
  }))
  return drafts.length === 0 ? {} : { formulas: drafts }
}

/** The mistake of a formula: a series that the query does not have, or the text from the mistake on. */
export type FormulaMistake =
  | { readonly kind: 'no series'; readonly letter: string }
  | { readonly kind: 'unfinished' }
  | { readonly kind: 'from'; readonly rest: string }

/** The mistake of a formula that the service refuses: at the position that its violation names. */
export function findMistake(
  violations: ReadonlyMap<string, string>,
  of: { readonly formulas: readonly FormulaDraft[]; readonly at: number; readonly seriesCount: number },
): FormulaMistake | undefined {
  const { formulas, at, seriesCount } = of
  const expression = formulas[at]?.expression ?? ''
  if (!isWritten({ expression })) return undefined
  // Formulas that are not written yet are no part of the query.
  const index = formulas.slice(0, at).filter(isWritten).length
  const description = violations.get(`spec.formulas[${index}].expression`)
  if (description === undefined) return undefined
  const position = Number(/^position (\d+):/.exec(description)?.[1] ?? 1)
  const rest = [...expression].slice(position - 1).join('')
  const letter = /^[A-Z](?![A-Za-z0-9_])/.exec(rest)?.[0]
  if (letter !== undefined && letter > seriesLetter(seriesCount - 1)) return { kind: 'no series', letter }
  return rest.trim() === '' ? { kind: 'unfinished' } : { kind: 'from', rest }
}

function isWritten({ expression }: Pick<FormulaDraft, 'expression'>): boolean {
  return expression.trim() !== ''
}

/** A new formula over a number of series: the ratio of the first two. */
export function newFormula(seriesCount: number): FormulaDraft {
  const letters = Array.from({ length: Math.min(seriesCount, 2) }, (_, index) => seriesLetter(index))
  return { expression: letters.join(' / '), name: '' }
}
