import type { JSX } from 'solid-js'
import { Show } from 'solid-js'
import { RemountOnNavigation } from '../../context/remount.tsx'
import { AlertEditor } from './alert-editor.tsx'
import { AlertTable } from './alert-table.tsx'
import './alerts.css'
import './messages.ts'

/** The alerts of the project, or the editor of one. */
export function AlertsPage(props: { readonly rest: string }): JSX.Element {
  return (
    <div class="alerts" data-page="full">
      <RemountOnNavigation>
        <Show when={props.rest} keyed fallback={<AlertTable />}>
          {(rest) => <AlertEditor id={rest} />}
        </Show>
      </RemountOnNavigation>
    </div>
  )
}
