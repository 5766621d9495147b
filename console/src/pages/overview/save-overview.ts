import {
  type QueryOverviewResponse,
  WebAnalyticsService,
} from '@contract/millrace/web/v1/web_analytics_service_pb.js'
import { paintPicture } from '../../charts/paint-picture.ts'
import { addLocalDates, toCsv } from '../../format/table.ts'
import { t } from '../../i18n/translate.ts'
import { clientOf } from '../../rpc/client.ts'
import { writeDays } from '../../ui/period-labels.ts'
import { saveCsvFile, saveFile } from '../../ui/save-file.ts'
import { DIMENSIONS, type DimensionName } from './dimensions.ts'
import { tableOfPoints, tableOfRows } from './export-rows.ts'
import { METRICS } from './metrics.ts'
import type { OverviewView } from './overview-view.ts'
import { tableRequest } from './requests.ts'

const webClient = clientOf(WebAnalyticsService)

/** The most rows of one answer. */
const ROWS_MAX = 1000

function fileName(view: OverviewView, name: string, ending: string): string {
  const { from, to } = view.asked().days
  return `${name}-${from}-${to}.${ending}`
}

/** Saves the rows of a dimension with all measures, those with the most visitors first. */
export async function saveRows(view: OverviewView, dimension: DimensionName): Promise<void> {
  const query = { dimension: DIMENSIONS[dimension].number, limit: ROWS_MAX }
  const { rows } = await webClient.queryTable(tableRequest(view.state(), view.asked(), query))
  const text = toCsv(tableOfRows(dimension, rows))
  saveCsvFile([text], fileName(view, dimension, 'csv'))
}

/** Saves the buckets of the chart with all measures. */
export function savePoints(view: OverviewView, { points }: QueryOverviewResponse): void {
  const text = toCsv(addLocalDates(tableOfPoints(points), view.asOf().timeZone))
  saveCsvFile([text], fileName(view, 'overview', 'csv'))
}

/** Saves the chart as it is shown. */
export async function savePicture(view: OverviewView, chart: HTMLElement): Promise<void> {
  const time = `${writeDays(view.asked().days, view.asOf().today)} · ${view.asOf().timeZone}`
  const title = t(METRICS[view.state().metric].name)
  saveFile(await paintPicture(chart, { title, time }), fileName(view, 'overview', 'png'))
}
