import { createSignal, createUniqueId, type JSX, onCleanup, onMount, Show } from 'solid-js'

/** A button that opens a panel beside it. Escape, a click elsewhere and leaving with Tab close it; Escape returns the focus. */
export function Flyout(props: {
  /** What the button is for, before its visible text; absent where the text tells it. */
  readonly label?: string
  readonly face: JSX.Element
  readonly class: string
  readonly children: (close: () => void) => JSX.Element
}): JSX.Element {
  const id = createUniqueId()
  const [isOpen, setOpen] = createSignal(false)
  let box: HTMLDivElement | undefined
  let button: HTMLButtonElement | undefined
  const close = (): void => {
    setOpen(false)
    button?.focus()
  }
  const leave = (event: Event): void => {
    if (event.target instanceof Node && !box?.contains(event.target)) setOpen(false)
  }
  onMount(() => document.addEventListener('pointerdown', leave))
  onCleanup(() => document.removeEventListener('pointerdown', leave))
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only follows the keys and the focus of what it contains
    <div
      ref={box}
      class={`flyout ${props.class}`}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen()) return
        event.stopPropagation()
        close()
      }}
      onFocusOut={({ relatedTarget }) => {
        if (relatedTarget instanceof Node && !box?.contains(relatedTarget)) setOpen(false)
      }}
    >
      <button
        ref={button}
        type="button"
        class="flyout-button"
        aria-expanded={isOpen()}
        aria-controls={isOpen() ? id : undefined}
        onClick={() => setOpen(!isOpen())}
      >
        <Show when={props.label}>
          <span class="ui-hidden">{props.label}</span>
        </Show>
        {props.face}
      </button>
      <Show when={isOpen()}>
        <div class="flyout-panel" id={id}>
          {props.children(close)}
        </div>
      </Show>
    </div>
  )
}
