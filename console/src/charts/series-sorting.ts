import type { Line } from '@domain/charts/time-model.ts'
import type { SeriesTotal } from '@domain/insights/totals.ts'
import type { MessageKey } from '../i18n/translate.ts'

/** The columns of the table below a chart that can be sorted, with the messages of their heads. */
export const COLUMNS = {
  name: 'chart.series',
  value: 'chart.value',
  previous: 'chart.previous',
  change: 'chart.change',
} as const satisfies Record<string, MessageKey>

/** The name of a column. */
export type ColumnName = keyof typeof COLUMNS

/** The sorting of a table. */
export interface Sorting {
  readonly column: ColumnName
  readonly direction: 'ascending' | 'descending'
}

/** Rows in an order; rows without the value are last. */
export function sortRows<R extends SeriesTotal & { readonly line: Pick<Line, 'label'> }>(
  rows: readonly R[],
  { column, direction }: Sorting,
): readonly R[] {
  const sign = direction === 'ascending' ? 1 : -1
  if (column === 'name') return rows.toSorted((a, b) => sign * a.line.label.localeCompare(b.line.label))
  return rows.toSorted((a, b) => {
    const [one, other] = [sortValue(a, column), sortValue(b, column)]
    if (one === undefined || other === undefined)
      return Number(one === undefined) - Number(other === undefined)
    return sign * (one - other)
  })
}

function sortValue(
  { value, previous }: SeriesTotal,
  column: Exclude<ColumnName, 'name'>,
): number | undefined {
  if (column === 'value') return value
  if (column === 'previous' || value === undefined || previous === undefined) return previous
  return previous === 0 ? Number.POSITIVE_INFINITY : (value - previous) / Math.abs(previous)
}
