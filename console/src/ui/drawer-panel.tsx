import * as Kobalte from '@kobalte/core/dialog'
import X from 'lucide-solid/icons/x'
import { createSignal, createUniqueId, type JSX, onCleanup, onMount, Show } from 'solid-js'
import { Portal } from 'solid-js/web'
import { t } from '../i18n/translate.ts'
import { IconButton } from './button.tsx'
import './drawer-panel.css'
import { keepFocus } from './keep-focus.ts'
import { countDrawer } from './open-drawers.ts'
import { returnFocus } from './return-focus.ts'
import { mayDrop } from './typed-text.ts'

/** From this width a drawer pushes the page aside; below it covers the page. */
const pushes = matchMedia('(min-width: 1280px)')

interface DrawerProps {
  readonly title: string
  /** The icon before the title. */
  readonly icon?: JSX.Element
  /** A line below the title. */
  readonly detail?: JSX.Element
  readonly onClose: () => void
  /** Controls before the button that closes. */
  readonly actions?: JSX.Element
  readonly padding?: 'normal' | 'none'
  readonly children: JSX.Element
}

/** Details at the right of the page: beside it where there is room, else above it with focus kept inside. */
export function Drawer(props: DrawerProps & { readonly isOpen: boolean }): JSX.Element {
  const [isPushing, setPushing] = createSignal(pushes.matches)
  const follow = (event: MediaQueryListEvent): void => void setPushing(event.matches)
  pushes.addEventListener('change', follow)
  onCleanup(() => pushes.removeEventListener('change', follow))
  const close = (): void => {
    const panel = document.querySelector('.ui-drawer')
    if (!panel || mayDrop(panel, 'common.closeUnsaved')) props.onClose()
  }
  return (
    <Show when={props.isOpen}>
      <Show when={isPushing()} fallback={<CoveringDrawer {...props} onClose={close} />}>
        <PushingDrawer {...props} onClose={close} />
      </Show>
    </Show>
  )
}

function PushingDrawer(props: DrawerProps): JSX.Element {
  const id = createUniqueId()
  let panel: HTMLElement | undefined
  const opener = document.activeElement
  countDrawer()
  onMount(() => {
    if (!panel) return
    keepFocus(panel)
    panel.focus()
  })
  onCleanup(() => {
    if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
  })
  return (
    <Portal>
      <aside
        ref={panel}
        class="ui-drawer"
        data-mode="pushes"
        data-padding={props.padding}
        tabindex="-1"
        aria-labelledby={id}
        onKeyDown={(event) => {
          // Keys in a layer that a part of the drawer opened arrive here too, though the layer is elsewhere in the page.
          const isInside = event.target instanceof Node && event.currentTarget.contains(event.target)
          if (event.key !== 'Escape' || event.defaultPrevented || !isInside) return
          event.stopPropagation()
          props.onClose()
        }}
      >
        <DrawerContent
          {...props}
          title={
            <h2 class="ui-drawer-title" id={id}>
              {props.title}
            </h2>
          }
        />
      </aside>
    </Portal>
  )
}

function CoveringDrawer(props: DrawerProps): JSX.Element {
  const onClosed = returnFocus(() => true)
  return (
    <Kobalte.Root open={true} onOpenChange={(isOpen) => !isOpen && props.onClose()}>
      <Kobalte.Portal>
        <Kobalte.Overlay class="ui-overlay" />
        <Kobalte.Content
          ref={keepFocus}
          class="ui-drawer"
          data-mode="covers"
          data-padding={props.padding}
          onCloseAutoFocus={onClosed}
        >
          <DrawerContent
            {...props}
            title={<Kobalte.Title class="ui-drawer-title">{props.title}</Kobalte.Title>}
          />
        </Kobalte.Content>
      </Kobalte.Portal>
    </Kobalte.Root>
  )
}

function DrawerContent(props: Omit<DrawerProps, 'title'> & { readonly title: JSX.Element }): JSX.Element {
  return (
    <>
      <header class="ui-drawer-head">
        <Show when={props.icon}>
          <span class="ui-drawer-icon">{props.icon}</span>
        </Show>
        <div class="ui-drawer-names">
          {props.title}
          <Show when={props.detail}>
            <p class="ui-drawer-detail">{props.detail}</p>
          </Show>
        </div>
        {props.actions}
        <IconButton tone="ghost" size="small" name={t('common.close')} onClick={() => props.onClose()}>
          <X />
        </IconButton>
      </header>
      <div class="ui-drawer-body">{props.children}</div>
    </>
  )
}
