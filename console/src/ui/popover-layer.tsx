import * as Kobalte from '@kobalte/core/popover'
import type { JSX } from 'solid-js'
import type { TriggerAttributes } from './late-trigger.ts'
import { LAYER_EDGE_PX, LAYER_GAP_PX, type PopoverProps } from './popover.tsx'

/** The layer of a popover, apart from its button, which is on the page before it. */
export function PopoverLayer(
  props: Omit<PopoverProps, 'trigger' | 'isOpen' | 'onOpenChange'> & {
    readonly isOpen: boolean
    readonly onOpenChange: (isOpen: boolean) => void
    readonly adopt: (trigger: TriggerAttributes) => JSX.Element
  },
): JSX.Element {
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
      open={props.isOpen}
      onOpenChange={props.onOpenChange}
      placement={props.placement ?? 'bottom-start'}
      gutter={LAYER_GAP_PX}
      overflowPadding={LAYER_EDGE_PX}
    >
      <Kobalte.Trigger as={(attributes: TriggerAttributes) => props.adopt(attributes)} />
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
          {props.children(() => props.onOpenChange(false))}
        </Kobalte.Content>
      </Kobalte.Portal>
    </Kobalte.Root>
  )
}
