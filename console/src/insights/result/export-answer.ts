import { addLocalDates, toCsv } from '../../format/table.ts'
import { formatRange } from '../../format/values.ts'
import { t } from '../../i18n/translate.ts'
import { saveCsvFile, saveFile } from '../../ui/save-file.ts'
import { compareTables } from '../compare.ts'
import type { Answered } from '../run-query.ts'
import { entryOfAnswer } from '../types/insight-types.ts'

/** Saves the table of an answer as CSV. */
export function saveCsv({ result, previous, spec }: Answered, timeZone: string): void {
  const entry = entryOfAnswer(result, spec)
  if (!entry) return
  const table = compareTables(entry, { result, previous, spec })
  saveCsvFile([toCsv(addLocalDates(table, timeZone))], 'insight.csv')
}

/** Saves the chart of an answer as PNG. */
export async function savePng(
  chart: HTMLElement,
  {
    title,
    answered,
    timeZone,
  }: {
    readonly title: string
    readonly answered: Answered
    readonly timeZone: string
  },
): Promise<void> {
  const { paintPicture } = await import('../../charts/paint-picture.ts')
  const time = `${formatRange(answered.range, timeZone)}, ${t('insights.timesIn', { zone: timeZone })}`
  saveFile(await paintPicture(chart, { title, time }), 'insight.png')
}
