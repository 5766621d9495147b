import CircleAlert from 'lucide-solid/icons/circle-alert'
import CircleCheck from 'lucide-solid/icons/circle-check'
import Trash from 'lucide-solid/icons/trash'
import X from 'lucide-solid/icons/x'
import { createSignal, For, type JSX, Match, onCleanup, onMount, Show, Switch } from 'solid-js'
import { t } from '../i18n/translate.ts'
import { IconButton } from './button.tsx'
import './toast.css'

const SHOWN_MS = 5000

/** Long enough to notice a mistake. */
const LONG_SHOWN_MS = 10_000

const TOASTS_MAX = 3

/** A short message after an action. */
export interface ToastMessage {
  readonly text: string
  /** `neutral` for what was removed. */
  readonly tone?: 'good' | 'neutral' | 'bad'
  readonly action?: { readonly label: string; readonly run: () => void }
  /** `long` for a message that the user does not expect. */
  readonly duration?: 'short' | 'long'
  /** Runs once when the message is gone and its action was not taken. */
  readonly onGone?: (() => void) | undefined
}

interface ShownToast extends ToastMessage {
  readonly shownMs: number
}

const [toasts, setToasts] = createSignal<readonly ShownToast[]>([])

function addToast(toast: ShownToast): void {
  setToasts((shown) => [...shown, toast].slice(-TOASTS_MAX))
}

function removeToast(toast: ShownToast): void {
  setToasts((shown) => shown.filter((other) => other !== toast))
}

/** Shows a message for 5 seconds, or for 10. */
export function showToast(message: ToastMessage): void {
  addToast({ ...message, shownMs: message.duration === 'long' ? LONG_SHOWN_MS : SHOWN_MS })
}

/** Shows for 10 seconds that something was removed, with a button that brings it back. `onGone` runs when it no longer can. */
export function showUndo(text: string, undo: () => void, onGone?: () => void): void {
  addToast({
    text,
    tone: 'neutral',
    action: { label: t('common.undo'), run: undo },
    shownMs: LONG_SHOWN_MS,
    onGone,
  })
}

/** The place of the messages, once in the page. */
export function Toasts(): JSX.Element {
  return (
    <section aria-live="polite" aria-label={t('ui.messages')}>
      <ol class="ui-toasts">
        <For each={toasts()}>{(toast) => <Toast toast={toast} />}</For>
      </ol>
    </section>
  )
}

function Toast(props: { readonly toast: ShownToast }): JSX.Element {
  let timer: ReturnType<typeof setTimeout> | undefined
  const close = (): void => removeToast(props.toast)
  const stop = (): void => clearTimeout(timer)
  const start = (): void => {
    stop()
    timer = setTimeout(close, props.toast.shownMs)
  }
  let isTaken = false
  onMount(start)
  onCleanup(() => {
    stop()
    if (!isTaken) props.toast.onGone?.()
  })
  const tone = (): string => props.toast.tone ?? 'good'
  return (
    // A reader who points at a message or has focus in it is not done with it.
    <li
      class="ui-toast"
      data-tone={tone()}
      onPointerEnter={stop}
      onPointerLeave={start}
      onFocusIn={stop}
      onFocusOut={start}
    >
      <Switch fallback={<CircleCheck />}>
        <Match when={tone() === 'neutral'}>
          <Trash />
        </Match>
        <Match when={tone() === 'bad'}>
          <CircleAlert />
        </Match>
      </Switch>
      <span class="ui-toast-text">{props.toast.text}</span>
      <Show when={props.toast.action}>
        {(action) => (
          <button
            type="button"
            class="ui-toast-action"
            onClick={() => {
              isTaken = true
              action().run()
              close()
            }}
          >
            {action().label}
          </button>
        )}
      </Show>
      <IconButton tone="ghost" size="small" name={t('common.close')} onClick={close}>
        <X />
      </IconButton>
    </li>
  )
}
