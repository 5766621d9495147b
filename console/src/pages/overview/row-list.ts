import type { ImportedMetrics } from '@contract/millrace/web/v1/imported_days_pb.js'
import type { WebMetrics, WebTableRow } from '@contract/millrace/web/v1/web_analytics_service_pb.js'
import type { MessageKey } from '../../i18n/translate.ts'
import type { Sorting } from '../../ui/table.tsx'
import { type DimensionName, labelOfValue } from './dimensions.ts'
import { readImported } from './imported.ts'
import { METRICS, type MetricName } from './metrics.ts'

/** Rows of a page of the list. */
const PAGE_ROWS = 50

/** The columns of the list of all values. */
export type ListKey = MetricName | 'name' | 'share' | `imported-${'views' | 'visitors' | 'visits'}`

/** A value with its measures. */
export interface ListRow {
  readonly value: string
  readonly name: string
  readonly metrics: WebMetrics
  readonly share: number
  readonly imported: ImportedMetrics | undefined
}

/** The rows of an answer, with the names of their values. */
export function rowsOf(dimension: DimensionName, rows: readonly WebTableRow[]): readonly ListRow[] {
  return rows.flatMap(({ value, metrics, share, imported }) =>
    metrics ? [{ value, name: labelOfValue(dimension, value), metrics, share, imported }] : [],
  )
}

/** The rows in an order; equal ones keep theirs. */
export function sortRows(rows: readonly ListRow[], { key, direction }: Sorting<ListKey>): readonly ListRow[] {
  const sign = direction === 'ascending' ? 1 : -1
  if (key === 'name') return rows.toSorted((a, b) => sign * a.name.localeCompare(b.name))
  const read = (row: ListRow): number => readColumn(key, row)
  return rows.toSorted((a, b) => sign * (read(a) - read(b)))
}

/** A measure of imported days that a row lacks comes after 0. */
function readColumn(key: Exclude<ListKey, 'name'>, { metrics, share, imported }: ListRow): number {
  if (key === 'share') return share
  if (isOwn(key)) return METRICS[key].read(metrics)
  return readImported(IMPORTED_COLUMNS[key].metric, imported) ?? -1
}

function isOwn(key: Exclude<ListKey, 'name' | 'share'>): key is MetricName {
  return Object.hasOwn(METRICS, key)
}

/** The columns of imported days. */
export const IMPORTED_COLUMNS = {
  'imported-visitors': { metric: 'visitors', name: 'overview.importedVisitors' },
  'imported-visits': { metric: 'visits', name: 'overview.importedVisits' },
  'imported-views': { metric: 'views', name: 'overview.importedViews' },
} as const satisfies Record<`imported-${string}`, { readonly metric: MetricName; readonly name: MessageKey }>

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
