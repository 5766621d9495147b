import * as Kobalte from '@kobalte/core/dialog'
import type { JSX } from 'solid-js'
import './cover.css'
import { keepFocus } from './keep-focus.ts'
import { returnFocus } from './return-focus.ts'

/** A layer that covers the whole page, other layers included, for as long as it exists. Focus stays inside, and returns. */
export function Cover(props: { readonly title: string; readonly children: JSX.Element }): JSX.Element {
  const onClosed = returnFocus(() => true)
  return (
    <Kobalte.Root open={true}>
      <Kobalte.Portal>
        <Kobalte.Content
          ref={keepFocus}
          class="ui-cover"
          aria-label={props.title}
          onCloseAutoFocus={onClosed}
        >
          {props.children}
        </Kobalte.Content>
      </Kobalte.Portal>
    </Kobalte.Root>
  )
}
