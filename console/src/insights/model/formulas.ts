import type { JsonObject } from '@bufbuild/protobuf'
import type { FormulaDraft } from './draft.ts'
import { type Json, listOf } from './json.ts'
import { seriesLetter } from './series.ts'

/** Most formulas of a spec. */
export const FORMULAS_MAX = 10

/** The formulas of a spec in proto JSON; nothing when there are none. One that is not written yet is left out. */
export function encodeFormulas(formulas: readonly FormulaDraft[]): JsonObject {
  const written = formulas.filter(({ expression }) => expression.trim() !== '')
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

/** A new formula over a number of series: the ratio of the first two. */
export function newFormula(seriesCount: number): FormulaDraft {
  const letters = Array.from({ length: Math.min(seriesCount, 2) }, (_, index) => seriesLetter(index))
  return { expression: letters.join(' / '), name: '' }
}
