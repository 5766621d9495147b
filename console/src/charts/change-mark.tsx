import { type JSX, Show } from 'solid-js'
import type { Change } from '../format/change.ts'
import { NO_VALUE } from '../format/values.ts'
import { Delta } from '../ui/delta.tsx'

/** A change as an arrow and a number, green or red as it is good or bad; a dash where a value is unknown. */
export function ChangeMark(props: { readonly change: Change | undefined }): JSX.Element {
  return (
    <Show when={props.change} fallback={<span class="quiet">{NO_VALUE}</span>}>
      {(change) => <Delta by={change().by} unit={change().unit} better={change().good} />}
    </Show>
  )
}
