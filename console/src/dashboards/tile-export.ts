import type { InsightQuerySpec } from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import { addLocalDates, toCsv } from '../format/table.ts'
import { compareTables } from '../insights/compare.ts'
import { entryOfAnswer } from '../insights/types/insight-types.ts'
import { saveCsvFile, saveFile } from '../ui/save-file.ts'
import type { TileAnswer } from './tile-answer.ts'

/** A name that every file system takes. */
function fileName(name: string): string {
  const plain = name.replace(/[^\p{L}\p{N} _-]/gu, '').trim()
  return plain === '' ? 'insight' : plain.slice(0, 80)
}

/** Saves the answer of a tile as CSV. */
export function exportCsv(
  { result, previous }: TileAnswer,
  of: { readonly name: string; readonly spec: InsightQuerySpec; readonly timeZone: string },
): void {
  const entry = entryOfAnswer(result, of.spec)
  if (!entry) return
  const text = toCsv(addLocalDates(compareTables(entry, { result, previous }), of.timeZone))
  saveCsvFile([text], `${fileName(of.name)}.csv`)
}

/** Saves the chart of a tile as PNG. */
export async function exportPng(
  chart: HTMLElement,
  of: { readonly name: string; readonly time: string },
): Promise<void> {
  const { paintPicture } = await import('../charts/paint-picture.ts')
  saveFile(await paintPicture(chart, { title: of.name, time: of.time }), `${fileName(of.name)}.png`)
}
