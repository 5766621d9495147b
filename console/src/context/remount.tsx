import { createMemo, type JSX, Show } from 'solid-js'
import { currentLocation } from './router.ts'

/** Recreates its children with each navigation, so that their state is that of the address. */
export function RemountOnNavigation(props: { readonly children: JSX.Element }): JSX.Element {
  const visit = createMemo(() => currentLocation().visit)
  return (
    <Show when={visit()} keyed>
      {props.children}
    </Show>
  )
}
