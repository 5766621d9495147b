import { For, type JSX, Show } from 'solid-js'
import { arrowTarget } from './arrow-keys.ts'
import './tabs.css'

/** One choice of a row of tabs or segments. */
export interface Choice<Value extends string> {
  readonly value: Value
  readonly label: string
  readonly icon?: JSX.Element
  readonly count?: string
  readonly isDisabled?: boolean
}

/** Tabs with an underline; arrow keys move. The caller keeps the choice in the address and draws the panel. */
export function Tabs<Value extends string>(props: {
  readonly label: string
  readonly choices: readonly Choice<Value>[]
  readonly value: Value
  readonly onChange: (value: Value) => void
  /** The id of the element that the tabs control. */
  readonly panelId?: string
}): JSX.Element {
  let list: HTMLDivElement | undefined
  const move = (event: KeyboardEvent): void => {
    const at = props.choices.findIndex(({ value }) => value === props.value)
    const target = arrowTarget(event.key, { at, count: props.choices.length })
    const choice = target === undefined ? undefined : props.choices[target]
    if (!choice || target === undefined) return
    event.preventDefault()
    props.onChange(choice.value)
    list?.querySelectorAll<HTMLButtonElement>('[role="tab"]')[target]?.focus()
  }
  return (
    <div class="ui-tabs" role="tablist" aria-label={props.label} ref={list} onKeyDown={move}>
      <For each={props.choices}>
        {(choice) => (
          <button
            type="button"
            role="tab"
            class="ui-tab"
            aria-selected={choice.value === props.value}
            aria-controls={props.panelId}
            tabindex={choice.value === props.value ? 0 : -1}
            onClick={() => props.onChange(choice.value)}
          >
            {choice.icon}
            {choice.label}
            <Show when={choice.count}>{(count) => <span class="ui-tab-count">{count()}</span>}</Show>
          </button>
        )}
      </For>
    </div>
  )
}
