import type { WebMetrics, WebTableRow } from '@contract/millrace/web/v1/web_analytics_service_pb.js'
import type { Sorting } from '../../ui/table.tsx'
import { type DimensionName, labelOfValue } from './dimensions.ts'
import { METRICS, type MetricName } from './metrics.ts'

/** Rows of a page of the list. */
const PAGE_ROWS = 50

/** The columns of the list of all values. */
export type ListKey = MetricName | 'name' | 'share'

/** A value with its measures. */
export interface ListRow {
  readonly value: string
  readonly name: string
  readonly metrics: WebMetrics
  readonly share: number
}

/** The rows of an answer, with the names of their values. */
export function rowsOf(dimension: DimensionName, rows: readonly WebTableRow[]): readonly ListRow[] {
  return rows.flatMap(({ value, metrics, share }) =>
    metrics ? [{ value, name: labelOfValue(dimension, value), metrics, share }] : [],
  )
}

/** The rows in an order; equal ones keep theirs. */
export function sortRows(rows: readonly ListRow[], { key, direction }: Sorting<ListKey>): readonly ListRow[] {
  const sign = direction === 'ascending' ? 1 : -1
  if (key === 'name') return rows.toSorted((a, b) => sign * a.name.localeCompare(b.name))
  const read = ({ metrics, share }: ListRow): number => (key === 'share' ? share : METRICS[key].read(metrics))
  return rows.toSorted((a, b) => sign * (read(a) - read(b)))
}

/** A page of the rows, with the places of its first and last row from 1. */
export function pageOf(rows: readonly ListRow[], page: number) {
  const start = page * PAGE_ROWS
  const shown = rows.slice(start, start + PAGE_ROWS)
  return {
    rows: shown,
    from: start + 1,
    to: start + shown.length,
    pages: Math.ceil(rows.length / PAGE_ROWS),
  }
}
