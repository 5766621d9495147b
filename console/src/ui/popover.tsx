import * as Kobalte from '@kobalte/core/popover'
import { createSignal, type JSX } from 'solid-js'
import './popover.css'
import './sheet.css'

/** What the button that opens a layer spreads over its element. */
export type TriggerAttributes = Pick<
  JSX.ButtonHTMLAttributes<HTMLButtonElement>,
  | 'id'
  | 'ref'
  | 'onClick'
  | 'onPointerDown'
  | 'onKeyDown'
  | 'aria-haspopup'
  | 'aria-expanded'
  | 'aria-controls'
>

/** Where a layer opens, beside its button. */
export type Placement =
  | 'bottom-start'
  | 'bottom-end'
  | 'bottom'
  | 'top-start'
  | 'top-end'
  | 'right-start'
  | 'left-start'

/** The distance of a layer from its button. */
export const LAYER_GAP_PX = 6

/** The space that a layer keeps from the edges of the window. */
export const LAYER_EDGE_PX = 8

/**
 * A layer beside the button that opens it; on phones a sheet from below. Escape and a click outside close it, and focus
 * returns to the button. Focus goes to the first control inside, or to the element with `data-autofocus`.
 */
export function Popover(props: {
  /** The accessible name of the layer. */
  readonly label: string
  readonly trigger: (attributes: TriggerAttributes) => JSX.Element
  readonly children: (close: () => void) => JSX.Element
  readonly placement?: Placement
  readonly isOpen?: boolean
  readonly onOpenChange?: (isOpen: boolean) => void
  /** `inside` where the content scrolls by itself. */
  readonly scroll?: 'whole' | 'inside'
  readonly class?: string
}): JSX.Element {
  const [isOwnOpen, setOwnOpen] = createSignal(false)
  const isOpen = (): boolean => props.isOpen ?? isOwnOpen()
  const setOpen = (next: boolean): void => {
    setOwnOpen(next)
    props.onOpenChange?.(next)
  }
  let content: HTMLElement | undefined
  const focusFirst = (event: Event): void => {
    const target = content?.querySelector<HTMLElement>('[data-autofocus]')
    if (!target) return
    event.preventDefault()
    // The layer has no place yet: scrolling to it would move the page.
    target.focus({ preventScroll: true })
  }
  return (
    <Kobalte.Root
      open={isOpen()}
      onOpenChange={setOpen}
      placement={props.placement ?? 'bottom-start'}
      gutter={LAYER_GAP_PX}
      overflowPadding={LAYER_EDGE_PX}
    >
      <Kobalte.Trigger as={(attributes: TriggerAttributes) => props.trigger(attributes)} />
      <Kobalte.Portal>
        <Kobalte.Content
          ref={(element: HTMLElement) => {
            content = element
          }}
          class={`ui-popover ${props.class ?? ''}`}
          data-scroll={props.scroll}
          // A dialog hides the rest of the page from assistive technology, except such layers.
          data-kb-top-layer=""
          aria-label={props.label}
          onOpenAutoFocus={focusFirst}
        >
          {props.children(() => setOpen(false))}
        </Kobalte.Content>
      </Kobalte.Portal>
    </Kobalte.Root>
  )
}
