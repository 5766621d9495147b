import { createMemo, createSignal, type JSX, Show, Suspense } from 'solid-js'
import { createLateTrigger, type TriggerAttributes } from './late-trigger.ts'
import { lazy } from './lazy.ts'
import type { Placement } from './popover.tsx'

/** A row of a menu that does something. */
export interface MenuAction {
  readonly label: string
  readonly icon?: () => JSX.Element
  readonly keys?: readonly string[]
  readonly onSelect: () => void
  readonly tone?: 'danger'
  readonly isDisabled?: boolean
}

/** A row of a menu that opens an address. */
export interface MenuLink {
  readonly label: string
  readonly icon?: () => JSX.Element
  readonly href: string
  readonly target?: '_blank'
}

/** A choice of one value inside a menu. */
export interface MenuChoice {
  readonly label: string
  readonly value: string
  readonly choices: readonly { readonly value: string; readonly label: string }[]
  readonly onChange: (value: string) => void
}

/** A row of a menu; `line` separates groups. Destructive rows are last, after a line. */
export type MenuEntry = MenuAction | MenuLink | MenuChoice | 'line' | { readonly heading: string }

const MenuLayer = lazy(async () => ({ default: (await import('./menu-layer.tsx')).MenuLayer }))

/** A menu beside the button that opens it. */
export function Menu(props: {
  readonly trigger: (attributes: TriggerAttributes) => JSX.Element
  readonly entries: readonly MenuEntry[]
  readonly placement?: Placement
}): JSX.Element {
  const [isOpen, setOpen] = createSignal(false)
  const isUsed = createMemo<boolean>((before) => before || isOpen(), false)
  const { attributes, adopt } = createLateTrigger({
    popup: 'menu',
    load: () => void MenuLayer.preload().catch(() => undefined),
    open: () => setOpen(true),
  })
  // Rendered once: a change of the other properties must not replace the element that gets the focus back.
  const button = props.trigger(attributes)
  return (
    <>
      {button}
      <Suspense>
        <Show when={isUsed()}>
          <MenuLayer
            entries={props.entries}
            placement={props.placement ?? 'bottom-end'}
            adopt={adopt}
            isOpen={isOpen()}
            onOpenChange={setOpen}
          />
        </Show>
      </Suspense>
    </>
  )
}
