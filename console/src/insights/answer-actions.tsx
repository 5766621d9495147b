import { type JSX, Show } from 'solid-js'
import { useWorkspace } from '../context/workspace.ts'
import { addLocalDates, toCsv } from '../format/table.ts'
import { createAction } from '../ui/action.ts'
import { ErrorBox } from '../ui/async.tsx'
import { saveFile } from '../ui/save-file.ts'
import { compareTables } from './compare.ts'
import type { InsightTypeEntry, Result } from './model/insight-type.ts'

/** Exports an answer: its table as CSV or its chart as PNG. */
export function AnswerActions(props: {
  readonly entry: InsightTypeEntry | undefined
  readonly result: Result
  readonly previous: Result | undefined
  /** The element of the chart, once it is shown. */
  readonly chart: () => HTMLElement | undefined
  readonly isTable: boolean
  readonly title: string
  readonly time: string
  /** Further actions. */
  readonly children?: JSX.Element
}): JSX.Element {
  const workspace = useWorkspace()
  const action = createAction()
  const saveCsv = (): void => {
    if (!props.entry) return
    const text = toCsv(addLocalDates(compareTables(props.entry, props), workspace().timeZone))
    saveFile(new Blob([text], { type: 'text/csv' }), 'insight.csv')
  }
  const savePng = async (): Promise<void> => {
    const chart = props.chart()
    if (!chart) return
    const { paintPicture } = await import('../charts/paint-picture.ts')
    saveFile(await paintPicture(chart, { title: props.title, time: props.time }), 'insight.png')
  }
  return (
    <>
      <div class="row actions">
        <button type="button" class="button" onClick={saveCsv}>
          Export CSV
        </button>
        <button
          type="button"
          class="button"
          disabled={props.isTable || action.isRunning()}
          onClick={() => action.run(savePng)}
        >
          Export PNG
        </button>
        {props.children}
      </div>
      <Show when={action.failure()}>{(failure) => <ErrorBox error={failure()} />}</Show>
    </>
  )
}
