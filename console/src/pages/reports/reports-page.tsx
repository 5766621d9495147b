import { type JSX, Show } from 'solid-js'
import { RemountOnNavigation } from '../../context/remount.tsx'
import { ReportEditor } from './report-editor.tsx'
import { ReportTable } from './report-table.tsx'
import './reports.css'
import './messages.ts'

/** The reports of the project, or the editor of one. */
export function ReportsPage(props: { readonly rest: string }): JSX.Element {
  return (
    <div class="reports" data-page="full">
      <RemountOnNavigation>
        <Show when={props.rest} keyed fallback={<ReportTable />}>
          {(rest) => <ReportEditor id={rest} />}
        </Show>
      </RemountOnNavigation>
    </div>
  )
}
