/** One page of a list, and the token of the page after it; empty on the last one. */
export interface RowPage<Row> {
  readonly rows: readonly Row[]
  readonly nextToken: string
}

/** The rows of a page in the list, and the token that reads them. */
interface PageSpan {
  readonly start: number
  readonly count: number
  readonly token: string
}

/** A long list of which some pages are in memory. Pages follow each other by tokens, so that the first visit is in order. */
export interface RowWindow<Row> {
  /** The pages that were read so far, the first one first. */
  readonly spans: readonly PageSpan[]
  /** The token of the page after them; empty when there is none. */
  readonly nextToken: string
  /** The rows that are in memory, by the index of their page. */
  readonly rows: ReadonlyMap<number, readonly Row[]>
}

/** Rows of a list, from the first to the last one, both included. */
export interface RowRange {
  readonly from: number
  readonly to: number
}

/** Pages in memory; those that are farthest from the visible rows are dropped, and read again by their tokens. */
export const PAGES_KEPT = 20

/** Rows below the visible ones that are read before they are visible. */
const ROWS_AHEAD = 60

/** A list of which the first page is read. */
export function startWindow<Row>({ rows, nextToken }: RowPage<Row>): RowWindow<Row> {
  return { spans: [{ start: 0, count: rows.length, token: '' }], nextToken, rows: new Map([[0, rows]]) }
}

/** The number of rows of all pages that were read so far. */
export function countRead({ spans }: RowWindow<unknown>): number {
  const last = spans.at(-1)
  return last ? last.start + last.count : 0
}

/** The index of the page of a row; that of the next page for rows that were never read. */
function pageOf({ spans }: RowWindow<unknown>, row: number): number {
  // Most pages are full, so that the guess is right.
  const guess = Math.floor(row / Math.max(1, spans[0]?.count ?? 1))
  const isIn = ({ start, count }: PageSpan): boolean => start <= row && row < start + count
  const guessed = spans[guess]
  if (guessed && isIn(guessed)) return guess
  const found = spans.findIndex(isIn)
  return found < 0 ? spans.length : found
}

/** A row; `undefined` while its page is not in memory. */
export function rowAt<Row>(list: RowWindow<Row>, row: number): Row | undefined {
  const page = pageOf(list, row)
  return list.rows.get(page)?.[row - (list.spans[page]?.start ?? 0)]
}

/** The page to read next for the visible rows and those below them; `undefined` when all are in memory. */
export function wantedPage(list: RowWindow<unknown>, { from, to }: RowRange): number | undefined {
  const last = pageOf(list, to + ROWS_AHEAD)
  for (let page = pageOf(list, from); page <= last; page++) {
    const exists = page < list.spans.length || list.nextToken !== ''
    if (exists && !list.rows.has(page)) return page
  }
  return undefined
}

/** The token that reads a page. */
export function tokenOf({ spans, nextToken }: RowWindow<unknown>, page: number): string {
  return spans[page]?.token ?? nextToken
}

/** The list with one more page in memory, without those that are far from the visible rows. */
export function addPage<Row>(
  list: RowWindow<Row>,
  { page, read, seen }: { readonly page: number; readonly read: RowPage<Row>; readonly seen: RowRange },
): RowWindow<Row> {
  const isNew = page >= list.spans.length
  const span = { start: countRead(list), count: read.rows.length, token: list.nextToken }
  const grown: RowWindow<Row> = {
    spans: isNew ? [...list.spans, span] : list.spans,
    nextToken: isNew ? read.nextToken : list.nextToken,
    rows: new Map(list.rows).set(page, read.rows),
  }
  return { ...grown, rows: nearest(grown, pageOf(grown, seen.from)) }
}

function nearest<Row>({ rows }: RowWindow<Row>, visible: number): ReadonlyMap<number, readonly Row[]> {
  if (rows.size <= PAGES_KEPT) return rows
  const byDistance = [...rows].sort(([one], [other]) => Math.abs(one - visible) - Math.abs(other - visible))
  return new Map(byDistance.slice(0, PAGES_KEPT))
}

/** The rows in memory that follow each other around a visible one. */
export function rowsAround<Row>(list: RowWindow<Row>, row: number): readonly Row[] {
  const visible = pageOf(list, row)
  let first = visible
  while (list.rows.has(first - 1)) first -= 1
  const found: Row[] = []
  for (let page = first; list.rows.has(page); page++) found.push(...(list.rows.get(page) ?? []))
  return found
}
