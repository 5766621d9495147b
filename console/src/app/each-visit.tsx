import { createMemo, type JSX, Show } from 'solid-js'
import { currentPlace } from './router.ts'

/** What begins anew with each visit, so that it and its address agree; it may change its address meanwhile. */
export function EachVisit(props: { readonly children: JSX.Element }): JSX.Element {
  const visit = createMemo(() => currentPlace().visit)
  return (
    <Show when={visit()} keyed>
      {props.children}
    </Show>
  )
}
