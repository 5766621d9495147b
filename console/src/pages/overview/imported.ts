import { type ImportedMetrics, ImportedState } from '@contract/millrace/web/v1/imported_days_pb.js'
import type {
  QueryOverviewResponse,
  QueryTableResponse,
  WebTableRow,
} from '@contract/millrace/web/v1/web_analytics_service_pb.js'
import { t } from '../../i18n/translate.ts'
import { type MetricName, writeValue } from './metrics.ts'

const FIELDS = {
  visitors: 'dailyVisitors',
  visits: 'visits',
  views: 'pageViews',
  'per-visit': 'viewsPerVisit',
  bounce: 'bounceRate',
  duration: 'visitDurationSeconds',
} as const satisfies Record<MetricName, keyof ImportedMetrics>

/** A measure of imported days; `undefined` for one that they do not have. */
export function readImported(name: MetricName, metrics: ImportedMetrics | undefined): number | undefined {
  if (!metrics) return undefined
  const field = FIELDS[name]
  // An unset field reads as 0, which it has from its prototype.
  const isKnown = field === 'dailyVisitors' || Object.hasOwn(metrics, field)
  return isKnown ? Number(metrics[field]) : undefined
}

/** A measure of imported days in full; `undefined` for one that they do not have. */
export function writeImported(name: MetricName, metrics: ImportedMetrics | undefined): string | undefined {
  const value = readImported(name, metrics)
  return value === undefined ? undefined : writeValue(name, value)
}

/** A measure of imported days, labelled: visitors are those of days. */
export function labelImported(name: MetricName, metrics: ImportedMetrics | undefined): string | undefined {
  const value = writeImported(name, metrics)
  if (value === undefined) return undefined
  return t(name === 'visitors' ? 'overview.importedByDay' : 'overview.importedValue', { value })
}

/** The imported values of each bucket; `undefined` where no bucket has one. */
export function importedValues(
  { points }: QueryOverviewResponse,
  name: MetricName,
): readonly (number | null)[] | undefined {
  const values = points.map(({ imported }) => readImported(name, imported) ?? null)
  return values.some((value) => value !== null) ? values : undefined
}

/** Why the strip or the chart has no imported numbers, if the project has imported days in the period. */
export function explainLeftOut(answer: QueryOverviewResponse | undefined): string | undefined {
  if (answer?.importedState === ImportedState.NOT_FILTERABLE) return t('overview.importedNotFilterable')
  const isOfHours = answer?.importedTotals && answer.points.every(({ imported }) => !imported)
  return isOfHours ? t('overview.importedNoHours') : undefined
}

/** The rows of own visits, then those of values that only imported days have. */
export function allRowsOf({ rows, importedRows }: QueryTableResponse): readonly WebTableRow[] {
  const own = new Set(rows.map(({ value }) => value))
  return [...rows, ...importedRows.filter(({ value }) => !own.has(value))]
}
