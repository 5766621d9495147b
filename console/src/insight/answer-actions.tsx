import type { QueryResponse } from '@contract/shared/insights/v1/insights_service_pb.js'
import { type JSX, Show } from 'solid-js'
import { useWorkspace } from '../app/workspace.ts'
import { createAction } from '../ui/action.ts'
import { ErrorBox } from '../ui/async.tsx'
import { saveFile } from '../ui/save-file.ts'
import { toCsv } from './columns.ts'
import { tabulateBeside } from './compare.ts'
import { addLocalDates } from './table-cells.ts'

/** Saves an answer: its rows as CSV, or its chart as PNG. */
export function AnswerActions(props: {
  readonly result: QueryResponse['result']
  readonly before: QueryResponse['result'] | undefined
  /** The chart; `undefined` for a table, which is no picture. */
  readonly chart: () => HTMLElement | undefined
  readonly isTable: boolean
  readonly title: string
  readonly time: string
  /** What else can be done. */
  readonly children?: JSX.Element
}): JSX.Element {
  const workspace = useWorkspace()
  const action = createAction()
  const saveCsv = (): void => {
    const table = tabulateBeside(props.result, props.before)
    const text = toCsv(addLocalDates(table, workspace().timeZone))
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
