import { createSignal, For, type JSX, onCleanup, onMount, Show } from 'solid-js'
import { SkeletonBlock } from './states.tsx'
import { type Column, HeadCell, isOnRow, type Sorting } from './table.tsx'
import { createVirtualRows, moveToEnd, type VirtualRows, type VirtualView } from './virtual-rows.ts'
import './virtual-table.css'

/** Heights before the first row is measured. */
const HEIGHTS_PX = { row: 37, head: 33 }

interface TableProps<Row, Key extends string> {
  readonly label: string
  readonly columns: readonly Column<Row, Key>[]
  readonly rows: VirtualRows<Row>
  readonly sorting?: Sorting<Key> | undefined
  readonly onSort?: (sorting: Sorting<Key>) => void
  /** Opens a row that was clicked. */
  readonly onOpen?: ((row: Row) => void) | undefined
  /** Receives what moves focus, for keys that act in the whole page. */
  readonly onReady?: (view: VirtualView) => void
}

/** A table of any length in a box that scrolls. The name in a row is a link, so that keys reach it. */
export function VirtualTable<Row, Key extends string>(props: TableProps<Row, Key>): JSX.Element {
  let box: HTMLElement | undefined
  const [heights, setHeights] = createSignal(HEIGHTS_PX)
  const view = createVirtualRows(() => props.rows, {
    element: () => box,
    rowPx: () => heights().row,
    headPx: () => heights().head,
    isHeadSticky: true,
    controlOf: (row) => `[aria-rowindex="${row + 2}"] a[href]`,
  })
  const measure = (): void => {
    const heightOf = (part: string): number => box?.querySelector(part)?.getBoundingClientRect().height ?? 0
    const [row, head] = [heightOf('tbody > [aria-rowindex]'), heightOf('thead')]
    if (row === 0 || (row === heights().row && head === heights().head)) return
    setHeights({ row, head })
    view.measure()
  }
  onMount(() => {
    measure()
    addEventListener('resize', measure)
    onCleanup(() => removeEventListener('resize', measure))
    props.onReady?.(view)
  })
  const countOf = (wanted: string): number =>
    props.columns.filter(({ kind = 'text' }) => kind === wanted).length
  const endOf = (at: number): number => view.items().at(at)?.end ?? heights().head
  return (
    <section
      ref={box}
      class="ui-table-box"
      tabindex="0"
      aria-label={props.label}
      onKeyDown={(event) => moveToEnd(event, view)}
    >
      <table
        class="ui-table ui-virtual-table"
        aria-rowcount={props.rows.total() + 1}
        style={{ '--texts': countOf('text'), '--numbers': countOf('number') }}
      >
        <thead>
          <tr aria-rowindex={1}>
            <For each={props.columns}>
              {(column) => (
                <HeadCell column={column} sorting={props.sorting} onSort={(to) => props.onSort?.(to)} />
              )}
            </For>
          </tr>
        </thead>
        <tbody>
          <For each={view.items()}>
            {(item, at) => (
              <>
                <Gap heightPx={item.start - (at() === 0 ? heights().head : endOf(at() - 1))} />
                <VirtualRow {...props} index={item.index} onFocus={view.hold} />
              </>
            )}
          </For>
          <Gap heightPx={view.totalPx() - endOf(-1)} />
        </tbody>
      </table>
    </section>
  )
}

/** The place of rows that are not in the page. */
function Gap(props: { readonly heightPx: number }): JSX.Element {
  return (
    <Show when={props.heightPx > 0}>
      {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: the row takes no focus. */}
      <tr class="ui-table-gap" aria-hidden="true">
        <td style={{ height: `${props.heightPx}px` }} />
      </tr>
    </Show>
  )
}

function VirtualRow<Row, Key extends string>(
  props: TableProps<Row, Key> & { readonly index: number; readonly onFocus: (row: number) => void },
): JSX.Element {
  return (
    <Show
      when={props.rows.at(props.index)}
      keyed
      fallback={
        <tr aria-rowindex={props.index + 2} aria-busy="true">
          <td colspan={props.columns.length}>
            <SkeletonBlock heightPx={12} />
          </td>
        </tr>
      }
    >
      {(row) => (
        <tr
          data-opens={props.onOpen ? '' : undefined}
          aria-rowindex={props.index + 2}
          onFocusIn={() => props.onFocus(props.index)}
          onClick={(event) => {
            if (isOnRow(event)) props.onOpen?.(row)
          }}
        >
          <For each={props.columns}>{(column) => <td data-kind={column.kind}>{column.cell(row)}</td>}</For>
        </tr>
      )}
    </Show>
  )
}
