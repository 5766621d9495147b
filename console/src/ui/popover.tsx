import { createMemo, createSignal, type JSX, Show, Suspense } from 'solid-js'
import { createLateTrigger, type TriggerAttributes } from './late-trigger.ts'
import { lazy } from './lazy.ts'
import './popover.css'
import './sheet.css'

export type { TriggerAttributes } from './late-trigger.ts'

/** The side of the button on which a layer opens. */
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

/** A layer beside a button. */
export interface PopoverProps {
  /** The accessible name of the layer. */
  readonly label: string
  readonly trigger: (attributes: TriggerAttributes) => JSX.Element
  readonly children: (close: () => void) => JSX.Element
  readonly placement?: Placement
  readonly isOpen?: boolean
  readonly onOpenChange?: (isOpen: boolean) => void
  /** `inside` where the content scrolls by itself. */
  readonly scroll?: 'whole' | 'inside'
  /** Loads what the layer shows; the layer opens once both are there, so that focus finds its place. */
  readonly needs?: () => Promise<unknown>
  readonly class?: string
}

/**
 * A layer beside the button that opens it; on phones a sheet from below. Escape and a click outside close it, and focus
 * returns to the button. Focus goes to the first control inside, or to the element with `data-autofocus`.
 */
export function Popover(props: PopoverProps): JSX.Element {
  const [isOwnOpen, setOwnOpen] = createSignal(false)
  const isOpen = (): boolean => props.isOpen ?? isOwnOpen()
  const isUsed = createMemo<boolean>((before) => before || isOpen(), false)
  const setOpen = (next: boolean): void => {
    setOwnOpen(next)
    props.onOpenChange?.(next)
  }
  const PopoverLayer = lazy(async () => {
    const [{ PopoverLayer }] = await Promise.all([import('./popover-layer.tsx'), props.needs?.()])
    return { default: PopoverLayer }
  })
  const { attributes, adopt } = createLateTrigger({
    popup: 'dialog',
    load: () => void PopoverLayer.preload().catch(() => undefined),
    open: () => setOpen(true),
  })
  // Rendered once: a change of the other properties must not replace the element that gets the focus back.
  const button = props.trigger(attributes)
  return (
    <>
      {button}
      <Suspense>
        <Show when={isUsed()}>
          <PopoverLayer {...props} adopt={adopt} isOpen={isOpen()} onOpenChange={setOpen} />
        </Show>
      </Suspense>
    </>
  )
}
