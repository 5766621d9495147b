import { createEffect, type JSX, onCleanup } from 'solid-js'
import { t } from '../i18n/translate.ts'

/** A panel over the page. Escape or its button closes it and returns the focus. */
export function Drawer(props: {
  readonly title: string
  readonly look?: 'drawer' | 'dialog'
  readonly onClose: () => void
  readonly children: JSX.Element
}): JSX.Element {
  let dialog: HTMLDialogElement | undefined
  createEffect(() => dialog?.showModal())
  onCleanup(() => dialog?.close())
  return (
    <dialog
      ref={dialog}
      class={props.look ?? 'drawer'}
      aria-label={props.title}
      onClose={() => props.onClose()}
    >
      <header class="row">
        <h2>{props.title}</h2>
        <button type="button" class="button quiet-button" onClick={() => props.onClose()}>
          {t('common.close')}
        </button>
      </header>
      {props.children}
    </dialog>
  )
}
