import * as Kobalte from '@kobalte/core/dropdown-menu'
import Check from 'lucide-solid/icons/check'
import { For, type JSX, Match, Show, Switch } from 'solid-js'
import { Keys } from './badge.tsx'
import type { TriggerAttributes } from './late-trigger.ts'
import type { MenuAction, MenuChoice, MenuEntry, MenuLink } from './menu.tsx'
import { LAYER_EDGE_PX, LAYER_GAP_PX, type Placement } from './popover.tsx'
import './popover.css'
import './sheet.css'

/** The layer of a menu, apart from its button, which is on the page before it. */
export function MenuLayer(props: {
  readonly entries: readonly MenuEntry[]
  readonly placement: Placement
  readonly adopt: (trigger: TriggerAttributes) => JSX.Element
  readonly isOpen: boolean
  readonly onOpenChange: (isOpen: boolean) => void
}): JSX.Element {
  let chosen: MenuAction | undefined
  /** Runs the chosen action once the button has its focus back, so that what the action opens keeps it. */
  const runChosen = (): void => {
    const action = chosen
    chosen = undefined
    // The library moves the focus right after this handler.
    if (action) queueMicrotask(() => action.onSelect())
  }
  return (
    <Kobalte.Root
      open={props.isOpen}
      onOpenChange={props.onOpenChange}
      placement={props.placement}
      gutter={LAYER_GAP_PX}
      overflowPadding={LAYER_EDGE_PX}
      modal={false}
    >
      <Kobalte.Trigger as={(attributes: TriggerAttributes) => props.adopt(attributes)} />
      <Kobalte.Portal>
        <Kobalte.Content class="ui-menu" onCloseAutoFocus={runChosen}>
          <For each={props.entries}>
            {(entry) => (
              <MenuRow
                entry={entry}
                onChoose={(action) => {
                  chosen = action
                }}
              />
            )}
          </For>
        </Kobalte.Content>
      </Kobalte.Portal>
    </Kobalte.Root>
  )
}

function MenuRow(props: {
  readonly entry: MenuEntry
  readonly onChoose: (action: MenuAction) => void
}): JSX.Element {
  const part = <Kind extends object>(key: string): Kind | undefined =>
    typeof props.entry === 'object' && key in props.entry ? (props.entry as Kind) : undefined
  return (
    <Switch fallback={<Kobalte.Separator class="ui-menu-line" />}>
      <Match when={part<MenuAction>('onSelect')}>
        {(action) => <ActionRow action={action()} onChoose={() => props.onChoose(action())} />}
      </Match>
      <Match when={part<MenuLink>('href')}>
        {(link) => (
          <Kobalte.Item as="a" class="ui-menu-item" href={link().href} target={link().target}>
            {link().icon?.()}
            <span class="ui-menu-text">{link().label}</span>
          </Kobalte.Item>
        )}
      </Match>
      <Match when={part<MenuChoice>('choices')}>{(choice) => <ChoiceRows choice={choice()} />}</Match>
      <Match when={part<{ readonly heading: string }>('heading')}>
        {(group) => <div class="ui-menu-group">{group().heading}</div>}
      </Match>
    </Switch>
  )
}

function ActionRow(props: { readonly action: MenuAction; readonly onChoose: () => void }): JSX.Element {
  return (
    <Kobalte.Item
      class="ui-menu-item"
      data-tone={props.action.tone}
      disabled={props.action.isDisabled ?? false}
      onSelect={() => props.onChoose()}
    >
      {props.action.icon?.()}
      <span class="ui-menu-text">{props.action.label}</span>
      <Show when={props.action.keys}>
        {(keys) => (
          <span class="ui-menu-keys" aria-hidden="true">
            <Keys keys={keys()} />
          </span>
        )}
      </Show>
    </Kobalte.Item>
  )
}

function ChoiceRows(props: { readonly choice: MenuChoice }): JSX.Element {
  return (
    <Kobalte.RadioGroup value={props.choice.value} onChange={(value: string) => props.choice.onChange(value)}>
      <Kobalte.GroupLabel class="ui-menu-group">{props.choice.label}</Kobalte.GroupLabel>
      <For each={props.choice.choices}>
        {({ value, label }) => (
          <Kobalte.RadioItem class="ui-menu-item" value={value}>
            <span class="ui-menu-check">
              <Kobalte.ItemIndicator>
                <Check />
              </Kobalte.ItemIndicator>
            </span>
            <span class="ui-menu-text">{label}</span>
          </Kobalte.RadioItem>
        )}
      </For>
    </Kobalte.RadioGroup>
  )
}
