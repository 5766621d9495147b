import { For, type JSX, Show } from 'solid-js'
import { formatNumber } from '../app/format.ts'

/** A value as a bar with its words above. */
export function BarRow(props: {
  readonly label: string
  readonly value: string
  /** Of the longest bar, 0 to 1. */
  readonly share: number
  readonly note?: string | undefined
}): JSX.Element {
  return (
    <li class="bar-row">
      <span class="ellipsis" title={props.label}>
        {props.label}
      </span>
      <span>{props.value}</span>
      <div class="bar-track" aria-hidden="true">
        <div class="bar-fill" style={{ width: `${Math.max(0, Math.min(1, props.share)) * 100}%` }} />
      </div>
      <Show when={props.note}>
        <span class="quiet small">{props.note}</span>
      </Show>
    </li>
  )
}

/** Values from high to low. */
export function RankedBars(props: {
  readonly rows: readonly { readonly label: string; readonly value: number }[]
}): JSX.Element {
  const max = (): number => Math.max(...props.rows.map(({ value }) => value), 0)
  return (
    <ol class="bars">
      <For each={props.rows}>
        {({ label, value }) => (
          <BarRow label={label} value={formatNumber(value)} share={max() > 0 ? value / max() : 0} />
        )}
      </For>
    </ol>
  )
}
