import * as Kobalte from '@kobalte/core/dialog'
import X from 'lucide-solid/icons/x'
import { createSignal, type JSX, Show } from 'solid-js'
import { t } from '../i18n/translate.ts'
import { createAction } from './action.ts'
import { Button, IconButton } from './button.tsx'
import './dialog.css'
import { Input } from './input.tsx'
import { keepFocus } from './keep-focus.ts'
import { returnFocus } from './return-focus.ts'
import { ErrorState } from './states.tsx'
import { mayDrop } from './typed-text.ts'

/** A dialog in the middle of the page, for names, sharing and confirmations. Escape closes it, focus stays inside. */
export function Dialog(props: {
  readonly title: string
  readonly isOpen: boolean
  readonly onClose: () => void
  /** Acts on Enter wherever focus is, except on a control that has an action of its own for it. */
  readonly onEnter?: () => void
  /** The buttons, the primary one last. */
  readonly foot?: JSX.Element
  readonly children: JSX.Element
}): JSX.Element {
  const onClosed = returnFocus(() => props.isOpen)
  let layer: HTMLElement | undefined
  const close = (): void => {
    if (!layer || mayDrop(layer, 'common.closeUnsaved')) props.onClose()
  }
  return (
    <Kobalte.Root open={props.isOpen} onOpenChange={(isOpen) => !isOpen && close()}>
      <Kobalte.Portal>
        <Kobalte.Overlay class="ui-overlay" />
        <div class="ui-dialog-place">
          <Kobalte.Content
            ref={(element: HTMLElement) => {
              layer = element
              keepFocus(element)
            }}
            class="ui-dialog"
            onCloseAutoFocus={onClosed}
            onKeyDown={(event: KeyboardEvent) => {
              if (isEnter(event)) props.onEnter?.()
            }}
          >
            <header class="ui-dialog-head">
              <Kobalte.Title class="ui-dialog-title">{props.title}</Kobalte.Title>
              <IconButton tone="ghost" size="small" name={t('common.close')} onClick={close}>
                <X />
              </IconButton>
            </header>
            <div class="ui-dialog-body">{props.children}</div>
            <Show when={'foot' in props}>
              <footer class="ui-dialog-foot">{props.foot}</footer>
            </Show>
          </Kobalte.Content>
        </div>
      </Kobalte.Portal>
    </Kobalte.Root>
  )
}

/** Whether a key acts as the button of a dialog: not the one that opened it and is still held, nor one that ends the input of a word. */
function isEnter({ key, target, repeat, isComposing }: KeyboardEvent): boolean {
  if (key !== 'Enter' || repeat || isComposing || !(target instanceof Element)) return false
  return target.closest('a, button, textarea') === null
}

/** Asks before something is destroyed; with `confirm`, its name has to be typed, and Enter confirms it. */
export function ConfirmDialog(props: {
  readonly title: string
  readonly text: string
  /** The verb on the button, for example `Delete person`. */
  readonly verb: string
  /** The text to type first, and the label of its field. */
  readonly confirm?: { readonly text: string; readonly label: string }
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onConfirm: () => Promise<void>
}): JSX.Element {
  const action = createAction()
  const [typed, setTyped] = createSignal('')
  const isBlocked = (): boolean => props.confirm !== undefined && typed().trim() !== props.confirm.text
  const confirm = async (): Promise<void> => {
    await props.onConfirm()
    props.onClose()
  }
  return (
    <Dialog
      title={props.title}
      isOpen={props.isOpen}
      onClose={() => props.onClose()}
      onEnter={() => {
        if (props.confirm && !isBlocked()) action.run(confirm)
      }}
      foot={
        <>
          <Button onClick={() => props.onClose()}>{t('common.cancel')}</Button>
          <Button
            tone="destructive"
            isDisabled={isBlocked()}
            isLoading={action.isRunning()}
            onClick={() => action.run(confirm)}
          >
            {props.verb}
          </Button>
        </>
      }
    >
      <p class="ui-dialog-text">{props.text}</p>
      <Show when={props.confirm}>
        {(field) => (
          <Input label={field().label} placeholder={field().text} value={typed()} onInput={setTyped} />
        )}
      </Show>
      <Show when={action.failure()}>
        {(failure) => <ErrorState title={t('ui.failed')} error={failure()} />}
      </Show>
    </Dialog>
  )
}
