import './tooltip.css'
import { createEffect, createSignal, For, type JSX, Show } from 'solid-js'
import { Portal } from 'solid-js/web'
import { t } from '../i18n/translate.ts'

/** A row of a tooltip. */
export interface TooltipRow {
  /** The colour of its mark; absent without. */
  readonly color?: string
  /** The shape of the mark; a square by default. */
  readonly mark?: 'square' | 'dash'
  readonly name: string
  readonly value: string
  readonly note?: string
  readonly isQuiet?: boolean
}

/** The content of a tooltip. */
export interface TooltipContent {
  readonly title: string
  readonly note?: string
  readonly rows: readonly TooltipRow[]
  readonly foot?: string
}

/** The foot of a tooltip over a part whose people a click opens. */
export function peopleFoot(onOpen: unknown): Pick<TooltipContent, 'foot'> {
  return onOpen === undefined ? {} : { foot: t('chart.openPeople') }
}

/** The position of a tooltip's tip, in pixels of the window. */
export interface Anchor {
  readonly x: number
  readonly y: number
  /** The side of the anchor that it stands at. */
  readonly side: 'left' | 'right'
}

/** Room between the anchor, the edges of the window and a tooltip. */
const OFFSET = 14
const EDGE = 8

/** The values at a position of a chart. They are also in its table, so it holds nothing that only a pointer reaches. */
export function Tooltip(props: { readonly content: TooltipContent; readonly anchor: Anchor }): JSX.Element {
  const [box, setBox] = createSignal<HTMLDivElement>()
  createEffect(() => {
    const element = box()
    // The size follows from the content.
    if (element && props.content) place(element, props.anchor)
  })
  return (
    <Portal>
      <div ref={setBox} class="chart-tooltip" aria-hidden="true">
        <div class="chart-tooltip-head">
          <span>{props.content.title}</span>
          <span>{props.content.note}</span>
        </div>
        <For each={props.content.rows}>
          {(row) => (
            <div class="chart-tooltip-row" classList={{ quiet: row.isQuiet === true }}>
              <span
                class="chart-tooltip-mark"
                classList={{ dash: row.mark === 'dash' }}
                style={{ '--paint': row.color ?? 'transparent' }}
              />
              <span class="chart-tooltip-name">{row.name}</span>
              <span class="chart-tooltip-value">{row.value}</span>
              <span class="chart-tooltip-note">{row.note}</span>
            </div>
          )}
        </For>
        <Show when={props.content.foot}>{(foot) => <div class="chart-tooltip-foot">{foot()}</div>}</Show>
      </div>
    </Portal>
  )
}

function place(element: HTMLElement, { x, y, side }: Anchor): void {
  const { offsetWidth, offsetHeight } = element
  const wanted = side === 'left' ? x - OFFSET - offsetWidth : x + OFFSET
  const left = Math.max(EDGE, Math.min(innerWidth - EDGE - offsetWidth, wanted))
  const top = Math.max(EDGE, Math.min(innerHeight - EDGE - offsetHeight, y))
  element.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`
}
