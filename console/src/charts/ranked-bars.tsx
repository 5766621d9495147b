import type { ToneName } from '@domain/thresholds.ts'
import { For, type JSX, Show } from 'solid-js'
import { TONE_LABELS } from './palette.ts'

/** A value as a bar with its words above. */
export function BarRow(props: {
  readonly label: string
  readonly value: string
  /** Of the longest bar, 0 to 1. */
  readonly share: number
  readonly note?: string | undefined
  readonly tone?: ToneName | undefined
}): JSX.Element {
  return (
    <li class="bar-row">
      <span class="ellipsis" title={props.label}>
        {props.label}
      </span>
      <span>
        <Show when={props.tone}>
          {(tone) => <span class={`chip tone-${tone()}`}>{TONE_LABELS[tone()]}</span>}
        </Show>{' '}
        {props.value}
      </span>
      <div class="bar-track" aria-hidden="true">
        <div class="bar-fill" style={{ width: `${Math.max(0, Math.min(1, props.share)) * 100}%` }} />
      </div>
      <Show when={props.note}>
        <span class="quiet small">{props.note}</span>
      </Show>
    </li>
  )
}

/** A value of a ranking. */
export interface RankedRow {
  readonly label: string
  readonly value: number
  /** The value as it is written. */
  readonly text: string
  readonly tone?: ToneName | undefined
  readonly note?: string | undefined
}

/** Values from high to low. */
export function RankedBars(props: { readonly rows: readonly RankedRow[] }): JSX.Element {
  const max = (): number => Math.max(...props.rows.map(({ value }) => value), 0)
  return (
    <ol class="bars">
      <For each={props.rows}>
        {({ label, value, text, tone, note }) => (
          <BarRow label={label} value={text} share={max() > 0 ? value / max() : 0} note={note} tone={tone} />
        )}
      </For>
    </ol>
  )
}
