import type { SeriesTotal } from '@domain/insights/totals.ts'
import { arePartsOfWhole } from '../model/additive.ts'
import type { Answered } from '../run-query.ts'

/** The one number above a chart over time: that of its only series, or the sum of parts of a whole. */
export function totalOf({ draft, totals }: Pick<Answered, 'draft' | 'totals'>): SeriesTotal | undefined {
  const [only] = totals
  if (draft.type !== 'INSIGHT_TYPE_TRENDS' || !only) return undefined
  if (totals.length === 1) return only.value === undefined ? undefined : only
  if (!arePartsOfWhole(draft.subject)) return undefined
  const value = sumOf(totals.map((total) => total.value))
  return value === undefined ? undefined : { value, previous: sumOf(totals.map((total) => total.previous)) }
}

/** Nothing where a part is unknown. */
function sumOf(values: readonly (number | undefined)[]): number | undefined {
  return values.reduce(
    (sum, value) => (sum === undefined || value === undefined ? undefined : sum + value),
    0,
  )
}
