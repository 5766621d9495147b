import { createUniqueId, For, type JSX, Show } from 'solid-js'
import './segmented-control.css'
import type { Choice } from './tabs.tsx'

/**
 * A segmented control: views of the same data. Segments that are `icon-only` have their label as name and tooltip; on phones
 * the look `chosen-text` shows the label of the chosen segment only.
 */
export function SegmentedControl<Value extends string>(props: {
  readonly label: string
  readonly choices: readonly Choice<Value>[]
  readonly value: Value
  readonly onChange: (value: Value) => void
  readonly look?: 'text' | 'icon-only' | 'chosen-text'
  readonly size?: 'normal' | 'large'
}): JSX.Element {
  const name = createUniqueId()
  const isIconOnly = (): boolean => props.look === 'icon-only'
  return (
    <div
      class="ui-segments"
      role="radiogroup"
      aria-label={props.label}
      data-look={props.look}
      data-size={props.size}
    >
      <For each={props.choices}>
        {(choice) => (
          <label class="ui-segment" data-tip={isIconOnly() ? choice.label : undefined}>
            <input
              type="radio"
              name={name}
              checked={choice.value === props.value}
              disabled={choice.isDisabled}
              aria-label={isIconOnly() ? choice.label : undefined}
              onChange={() => props.onChange(choice.value)}
            />
            {choice.icon}
            <Show when={props.look === 'chosen-text'} fallback={isIconOnly() ? undefined : choice.label}>
              <span class="ui-segment-label">{choice.label}</span>
            </Show>
          </label>
        )}
      </For>
    </div>
  )
}
