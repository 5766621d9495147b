import { timestampMs } from '@bufbuild/protobuf/wkt'
import type { WebPoint, WebTableRow } from '@contract/millrace/web/v1/web_analytics_service_pb.js'
import { type Cell, plain, type Table } from '../../format/table.ts'
import { t } from '../../i18n/translate.ts'
import { DIMENSIONS, type DimensionName, labelOfValue } from './dimensions.ts'
import { METRIC_NAMES, METRICS } from './metrics.ts'

const metricColumns = () => METRIC_NAMES.map((name) => plain(t(METRICS[name].name)))

function valuesOf(metrics: WebTableRow['metrics']): readonly Cell[] {
  return METRIC_NAMES.map((name) => (metrics ? METRICS[name].read(metrics) : 0))
}

/** The rows of a panel with all measures. A share is a percentage of the visitors of all rows. */
export function tableOfRows(dimension: DimensionName, rows: readonly WebTableRow[]): Table {
  return {
    columns: [plain(t(DIMENSIONS[dimension].name)), ...metricColumns(), plain(t('overview.share'))],
    rows: rows.map(({ value, metrics, share }) => [
      labelOfValue(dimension, value),
      ...valuesOf(metrics),
      share,
    ]),
  }
}

/** The buckets of the chart with all measures. */
export function tableOfPoints(points: readonly WebPoint[]): Table {
  return {
    columns: [{ name: t('overview.time'), kind: 'instant' }, ...metricColumns()],
    rows: points.map(({ time, metrics }) => [
      new Date(time ? timestampMs(time) : 0).toISOString(),
      ...valuesOf(metrics),
    ]),
  }
}
