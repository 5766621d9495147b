import { type JSX, Show } from 'solid-js'
import '../../cohorts/messages.ts'
import type { OpenedCohort } from './cohort-address.ts'
import { CohortEditor } from './cohort-editor.tsx'
import { CohortTable } from './cohort-table.tsx'
import './cohorts.css'

/** The list of cohorts, or the editor of one. */
export function Cohorts(props: { readonly opened: OpenedCohort | undefined }): JSX.Element {
  return (
    <Show when={props.opened} keyed fallback={<CohortTable />}>
      {(opened) => <CohortEditor opened={opened} />}
    </Show>
  )
}
