import {
  createVirtualizer,
  defaultRangeExtractor,
  type Range,
  type VirtualItem,
} from '@tanstack/solid-virtual'
import { createEffect, createSignal, on } from 'solid-js'

/** How far a box is scrolled, and the row that focus was in last; -1 before the first one. */
interface BoxPosition {
  readonly offsetPx: number
  readonly focused: number
}

/** The rows of a list of which only the visible ones are in the page. */
export interface VirtualRows<Row> {
  /** The rows to scroll through. */
  readonly count: () => number
  /** All rows, also those that are not yet read. */
  readonly total: () => number
  /** A row; `undefined` while it is read. */
  readonly at: (row: number) => Row | undefined
  /** Receives the first and the last visible row. */
  readonly see: (range: { readonly from: number; readonly to: number }) => void
  readonly position: () => BoxPosition
  readonly keep: (position: BoxPosition) => void
  /** Changes with other rows, which begin at the top. */
  readonly identity: () => unknown
}

/** The box that scrolls, and what is in it. */
interface VirtualBox {
  readonly element: () => HTMLElement | undefined
  readonly rowPx: () => number
  /** The height of what stands above the first row. */
  readonly headPx: () => number
  /** Whether what stands above the first row stays in view. */
  readonly isHeadSticky: boolean
  /** The control of a row that takes focus. */
  readonly controlOf: (row: number) => string
}

/** The rows that are in the page, and focus among all of them. */
export interface VirtualView {
  readonly items: () => readonly VirtualItem[]
  /** The height of all rows, with what stands above them. */
  readonly totalPx: () => number
  /** Keeps a row in the page that has focus. */
  readonly hold: (row: number) => void
  /** Focuses a row, or the nearest one above it that is there. */
  readonly focusRow: (row: number) => void
  /** Moves focus to the next or the previous row, at first to the first visible one. */
  readonly move: (by: 1 | -1) => void
  /** Reads the heights again. */
  readonly measure: () => void
}

/** Rows above and below the visible ones, so that quick scrolling shows no gap. */
const ROWS_BESIDE = 8

/** Decides which rows are in the page as a box scrolls. */
export function createVirtualRows<Row>(rows: () => VirtualRows<Row>, box: VirtualBox): VirtualView {
  // A row that has focus stays in the page, so that focus is not lost while one scrolls.
  const [held, hold] = createSignal(rows().position().focused)
  const offsetPx = (): number => virtualizer.scrollOffset ?? 0
  const hiddenPx = (): number => (box.isHeadSticky ? 0 : box.headPx())
  const report = (): void => {
    const { range } = virtualizer
    if (!range) return
    rows().keep({ offsetPx: offsetPx(), focused: held() })
    const from = Math.max(0, Math.floor((offsetPx() - hiddenPx()) / box.rowPx()))
    rows().see({ from: Math.min(from, range.endIndex), to: range.endIndex })
  }
  const virtualizer = createVirtualizer<HTMLElement, HTMLElement>({
    get count() {
      return rows().count()
    },
    getScrollElement: () => box.element() ?? null,
    estimateSize: box.rowPx,
    get paddingStart() {
      return box.headPx()
    },
    get scrollPaddingStart() {
      return box.isHeadSticky ? box.headPx() : 0
    },
    overscan: ROWS_BESIDE,
    initialOffset: rows().position().offsetPx,
    get rangeExtractor() {
      const kept = held()
      return (range: Range) => withRow(defaultRangeExtractor(range), { row: kept, count: range.count })
    },
    onChange: report,
  })
  const items = (): readonly VirtualItem[] => virtualizer.getVirtualItems()
  createEffect(() => {
    if (items().length > 0) report()
  })
  createEffect(
    on(
      () => rows().identity(),
      () => {
        hold(-1)
        // At the top already, no event of scrolling follows.
        if (offsetPx() === 0) report()
        else virtualizer.scrollToOffset(0)
      },
      { defer: true },
    ),
  )
  const focusRow = (row: number): void => {
    let to = Math.max(0, Math.min(rows().count() - 1, row))
    while (to > 0 && rows().at(to) === undefined) to -= 1
    hold(to)
    virtualizer.scrollToIndex(to)
    box.element()?.querySelector<HTMLElement>(box.controlOf(to))?.focus({ preventScroll: true })
  }
  const firstVisible = (): number => Math.ceil(Math.max(0, offsetPx() - hiddenPx()) / box.rowPx())
  return {
    items,
    totalPx: () => virtualizer.getTotalSize(),
    hold,
    focusRow,
    move: (by) => focusRow(held() < 0 ? firstVisible() : held() + by),
    measure: () => virtualizer.measure(),
  }
}

/** Rows in order with one more among them. */
function withRow(
  shown: number[],
  { row, count }: { readonly row: number; readonly count: number },
): number[] {
  if (row < 0 || row >= count || shown.includes(row)) return shown
  return [...shown, row].sort((one, other) => one - other)
}

/** Home and End lead to the first and the last row. */
export function moveToEnd(event: KeyboardEvent, view: VirtualView): void {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
  if (event.key !== 'Home' && event.key !== 'End') return
  event.preventDefault()
  view.focusRow(event.key === 'Home' ? 0 : Number.POSITIVE_INFINITY)
}
