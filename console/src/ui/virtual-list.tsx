import { For, type JSX, Show } from 'solid-js'
import { SkeletonBlock } from './states.tsx'
import { createVirtualRows, moveToEnd, type VirtualRows } from './virtual-rows.ts'
import './virtual-list.css'

/** The height of a row with the gap below it, as the style sheet has it. */
const ROW_PX = 52
const MARGIN_PX = 6

/** A list of any length in a box that scrolls. Each row is a button. */
export function VirtualList<Row>(props: {
  readonly rows: VirtualRows<Row>
  readonly row: (row: Row) => JSX.Element
}): JSX.Element {
  let box: HTMLDivElement | undefined
  const view = createVirtualRows(() => props.rows, {
    element: () => box,
    rowPx: () => ROW_PX,
    headPx: () => MARGIN_PX,
    isHeadSticky: false,
    controlOf: (row) => `[aria-posinset="${row + 1}"] button`,
  })
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys move focus among the buttons in the box.
    <div ref={box} class="ui-virtual-list" onKeyDown={(event) => moveToEnd(event, view)}>
      <ul style={{ height: `${view.totalPx() + MARGIN_PX}px` }}>
        <For each={view.items()}>
          {(item) => (
            <li
              aria-setsize={props.rows.total()}
              aria-posinset={item.index + 1}
              style={{ top: `${item.start}px` }}
              onFocusIn={() => view.hold(item.index)}
            >
              <Show
                when={props.rows.at(item.index)}
                keyed
                fallback={
                  <span class="ui-virtual-row" aria-busy="true">
                    <SkeletonBlock heightPx={16} />
                  </span>
                }
              >
                {(row) => props.row(row)}
              </Show>
            </li>
          )}
        </For>
      </ul>
    </div>
  )
}
