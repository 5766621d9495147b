import { createComputed, createEffect, createMemo, createSignal, on, onCleanup, untrack } from 'solid-js'
import {
  addPage,
  countRead,
  type RowPage,
  type RowRange,
  type RowWindow,
  rowAt,
  rowsAround,
  startWindow,
  tokenOf,
  wantedPage,
} from './row-window.ts'

/** How far a list is scrolled, and the row that focus was in last; -1 before the first one. */
export interface ScrollPosition {
  readonly offsetPx: number
  readonly focused: number
}

/** Where a list was left. */
export interface ListPosition<Row> extends ScrollPosition {
  readonly window: RowWindow<Row>
  readonly seen: RowRange
}

/** Where a list reads its rows. */
export interface ListSource<Answer extends object, Row> {
  /** The first page, which stands for the list: another answer is another list. `undefined` before it is there. */
  readonly first: () => Answer | undefined
  /** Whether the first page is that of an earlier query, so that nothing more is read. */
  readonly isOld: () => boolean
  readonly pageOf: (answer: Answer) => RowPage<Row>
  /** The number of rows of all pages. */
  readonly totalOf: (answer: Answer) => number
  readonly read: (token: string, signal: AbortSignal) => Promise<Answer>
  /** Where lists were left, by their first pages. A list that one returns to continues there. */
  readonly positions?: WeakMap<Answer, ListPosition<Row>>
  /** Whether one returned to the list by Back or Forward. */
  readonly isReturn?: boolean
}

/** A list that is read further as one scrolls. */
export interface LongList<Row> {
  /** The rows to scroll through: those that were read, and those of the next page. */
  readonly count: () => number
  /** The rows of all pages. */
  readonly total: () => number
  /** The rows that were read so far. */
  readonly readCount: () => number
  /** A row; `undefined` while it is read. */
  readonly at: (row: number) => Row | undefined
  /** The rows in memory around the visible ones. */
  readonly around: () => readonly Row[]
  readonly seen: () => RowRange
  /** The rows that are visible now. */
  readonly see: (range: RowRange) => void
  readonly position: () => ScrollPosition
  readonly keep: (position: ScrollPosition) => void
  /** Changes when another list is shown. */
  readonly identity: () => object | undefined
  readonly failure: () => unknown
  /** Reads further after a failure. */
  readonly retry: () => void
}

const TOP: ScrollPosition = { offsetPx: 0, focused: -1 }

/** Reads a list page by page, as far as one scrolls, and keeps a bounded number of pages in memory. */
export function createLongList<Answer extends object, Row>(source: ListSource<Answer, Row>): LongList<Row> {
  const first = createMemo(source.first)
  const known = untrack(first)
  let left = source.isReturn && known ? source.positions?.get(known) : undefined
  let position: ScrollPosition = left ?? TOP
  const [list, setList] = createSignal<RowWindow<Row>>()
  const [seen, setSeen] = createSignal<RowRange>(left?.seen ?? { from: 0, to: 0 }, {
    equals: (one, other) => one.from === other.from && one.to === other.to,
  })
  const reader = createReader(source, { list, setList, seen })
  createComputed(
    on(first, (answer) => {
      reader.stop()
      setList(left ? left.window : answer && startWindow(source.pageOf(answer)))
      if (!left) {
        position = TOP
        setSeen({ from: 0, to: 0 })
      }
      left = undefined
    }),
  )
  onCleanup(() => {
    const [answer, window] = [untrack(first), untrack(list)]
    if (answer && window) source.positions?.set(answer, { ...position, window, seen: untrack(seen) })
  })
  const total = (): number => {
    const answer = first()
    return answer ? source.totalOf(answer) : 0
  }
  return {
    total,
    readCount: () => {
      const now = list()
      return now ? countRead(now) : 0
    },
    count: () => countOf(list(), total()),
    at: (row) => {
      const now = list()
      return now && rowAt(now, row)
    },
    around: createMemo(() => {
      const now = list()
      return now ? rowsAround(now, untrack(seen).from) : []
    }),
    seen,
    see: setSeen,
    position: () => position,
    keep: (now) => {
      position = now
    },
    identity: first,
    failure: reader.failure,
    retry: reader.retry,
  }
}

/** The rows that were read, and those of a page that follows. */
function countOf(list: RowWindow<unknown> | undefined, total: number): number {
  if (!list) return 0
  const read = countRead(list)
  if (list.nextToken === '') return read
  return Math.max(read + 1, Math.min(total, read + (list.spans[0]?.count ?? 0)))
}

/** Reads one page after the other until the visible rows are there. */
function createReader<Answer extends object, Row>(
  source: ListSource<Answer, Row>,
  {
    list,
    setList,
    seen,
  }: {
    readonly list: () => RowWindow<Row> | undefined
    readonly setList: (list: RowWindow<Row>) => void
    readonly seen: () => RowRange
  },
) {
  const [failure, setFailure] = createSignal<unknown>()
  let running: AbortController | undefined
  const stop = (): void => {
    running?.abort()
    running = undefined
    setFailure(undefined)
  }
  const read = async (now: RowWindow<Row>, page: number): Promise<void> => {
    const own = new AbortController()
    running = own
    try {
      const answer = await source.read(tokenOf(now, page), own.signal)
      if (running !== own) return
      running = undefined
      setList(addPage(now, { page, read: source.pageOf(answer), seen: seen() }))
    } catch (error) {
      if (running !== own) return
      running = undefined
      setFailure(() => error)
    }
  }
  createEffect(() => {
    const now = list()
    if (!now || source.isOld() || failure() !== undefined) return
    const page = wantedPage(now, seen())
    if (page !== undefined && !running) void read(now, page)
  })
  onCleanup(stop)
  return { failure, stop, retry: () => void setFailure(undefined) }
}
