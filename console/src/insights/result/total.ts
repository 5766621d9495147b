import type { SeriesTotal } from '@domain/insights/totals.ts'
import { findFormulaParts } from '../../charts/formula-parts.ts'
import { seriesLabel } from '../../format/labels.ts'
import { arePartsOfWhole } from '../model/additive.ts'
import type { Answered } from '../run-query.ts'

/** More numbers than this stand in the table below the chart only. */
const NUMBERS_MAX = 6

/** The number of one series of several. */
export interface NamedTotal extends SeriesTotal {
  readonly label: string
}

/** The one number above a chart over time: that of its only series, or the sum of the values of a breakdown of it. */
export function totalOf({ draft, totals }: Pick<Answered, 'draft' | 'totals'>): SeriesTotal | undefined {
  const [only] = totals
  if (draft.type !== 'INSIGHT_TYPE_TRENDS' || !only || hasSeveral(draft)) return undefined
  if (totals.length === 1) return only.value === undefined ? undefined : only
  if (!arePartsOfWhole(draft.subject)) return undefined
  const value = sumOf(totals.map((total) => total.value))
  return value === undefined ? undefined : { value, previous: sumOf(totals.map((total) => total.previous)) }
}

/** The numbers above a chart of several events and formulas, without those that only a formula uses. */
export function totalsOf({
  draft,
  totals,
  result,
  spec,
}: Pick<Answered, 'draft' | 'totals' | 'result' | 'spec'>): readonly NamedTotal[] {
  const isShown = hasSeveral(draft) && spec.breakdowns.length === 0 && result.case === 'trends'
  if (!isShown) return []
  const { series } = result.value
  const parts = findFormulaParts(series, spec)
  const named = series.flatMap((one, at) => {
    const total = parts.has(at) ? undefined : totals[at]
    return total?.value === undefined ? [] : [{ ...total, label: seriesLabel(one) }]
  })
  return named.length > NUMBERS_MAX ? [] : named
}

/** Whether the numbers are of several events or formulas, or of cohorts, which share people: they have no sum. */
function hasSeveral(draft: Answered['draft']): boolean {
  if (draft.type !== 'INSIGHT_TYPE_TRENDS' || draft.subject.of !== 'events') return false
  const cohorts = draft.breakdown.cohortIds ?? []
  return draft.subject.series.length + (draft.subject.formulas ?? []).length > 1 || cohorts.length > 0
}

/** Nothing where a part is unknown. */
function sumOf(values: readonly (number | undefined)[]): number | undefined {
  return values.reduce(
    (sum, value) => (sum === undefined || value === undefined ? undefined : sum + value),
    0,
  )
}
