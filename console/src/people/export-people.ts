import './messages.ts'
import { createSignal, onCleanup } from 'solid-js'
import { type Cell, type Column, toCsv } from '../format/table.ts'
import { t } from '../i18n/translate.ts'
import { saveCsvFile } from '../ui/save-file.ts'
import { showToast } from '../ui/toast.tsx'
import { EXPORT_MAX } from './people-queries.ts'

/** An export that is running or not. */
export interface PeopleExport {
  /** People so far; `undefined` while no export runs. */
  readonly count: () => number | undefined
  readonly start: () => void
}

/** The source of an export. */
export interface ExportSource {
  readonly columns: readonly Column[]
  /** The rows of one page after the other. */
  readonly pages: (signal: AbortSignal) => AsyncIterable<readonly (readonly Cell[])[]>
  readonly fileName: string
}

/** Writes people into a CSV file, page by page; it ends with the component. */
export function createPeopleExport(source: () => ExportSource): PeopleExport {
  const [count, setCount] = createSignal<number>()
  const stop = new AbortController()
  onCleanup(() => stop.abort())
  const run = async (): Promise<void> => {
    const { columns, pages, fileName } = source()
    const parts: string[] = []
    setCount(0)
    let [written, isCut] = [0, false]
    for await (const rows of pages(stop.signal)) {
      const kept = rows.slice(0, EXPORT_MAX - written)
      isCut ||= kept.length < rows.length
      const csv = toCsv({ columns, rows: kept })
      parts.push(written === 0 ? csv : csv.slice(csv.indexOf('\r\n')))
      written += kept.length
      setCount(written)
    }
    if (stop.signal.aborted) return
    saveCsvFile(parts, fileName)
    const text = t(isCut || written >= EXPORT_MAX ? 'people.exportLimited' : 'people.exported', {
      count: written,
    })
    showToast({ text, tone: 'good' })
  }
  const attempt = async (): Promise<void> => {
    try {
      await run()
    } catch {
      if (!stop.signal.aborted) showToast({ text: t('people.exportFailed'), tone: 'bad' })
    } finally {
      setCount(undefined)
    }
  }
  return {
    count,
    start: () => {
      if (count() === undefined) void attempt()
    },
  }
}
