import './ranked-bars.css'
import { For, type JSX, Show } from 'solid-js'
import { t } from '../i18n/translate.ts'
import { ChangeMark } from './change-mark.tsx'
import { TONE_NAMES } from './palette.ts'
import { type RankedRow, scaleOf, shareOf } from './ranked-rows.ts'

/** Values from high to low, each a bar behind its words. */
export function RankedBars(props: {
  readonly rows: readonly RankedRow[]
  readonly onOpen?: ((index: number) => void) | undefined
  /** The row whose people are listed. */
  readonly opened?: number | undefined
}): JSX.Element {
  const scale = () => scaleOf(props.rows)
  return (
    <ol class="ranked-bars">
      <For each={props.rows}>
        {(row, at) => (
          <BarRow
            row={row}
            share={shareOf(row, scale())}
            onOpen={props.onOpen && (() => props.onOpen?.(at()))}
            isOpened={props.opened === at()}
          />
        )}
      </For>
    </ol>
  )
}

function BarRow(props: {
  readonly row: RankedRow
  readonly share: number
  readonly onOpen: (() => void) | undefined
  readonly isOpened: boolean
}): JSX.Element {
  return (
    <li class="bar-row" classList={{ other: props.row.isOther === true, opened: props.isOpened }}>
      <div class="bar-fill" style={{ '--share': props.share }} aria-hidden="true" />
      <Show
        when={props.onOpen}
        fallback={
          <span class="bar-label" title={props.row.label}>
            {props.row.label}
          </span>
        }
      >
        {(open) => (
          <button type="button" class="bar-label" title={props.row.label} onClick={() => open()()}>
            {props.row.label}
          </button>
        )}
      </Show>
      <Show when={props.row.tone}>
        {(tone) => <span class={`chip tone-${tone()}`}>{t(TONE_NAMES[tone()])}</span>}
      </Show>
      <span class="bar-value">{props.row.text}</span>
      <Show when={props.row.share}>
        <span class="bar-share">{props.row.share}</span>
      </Show>
      <Show when={props.row.change || props.row.note}>
        <span class="bar-change">
          <Show when={props.row.change} fallback={<span class="quiet">{props.row.note}</span>}>
            <ChangeMark change={props.row.change} />
          </Show>
        </span>
      </Show>
    </li>
  )
}
