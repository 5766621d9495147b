import { describe, expect, test } from 'vitest'
import {
  addPage,
  countRead,
  PAGES_KEPT,
  type RowPage,
  type RowRange,
  type RowWindow,
  rowAt,
  rowsAround,
  startWindow,
  tokenOf,
  wantedPage,
} from './row-window.ts'

const PAGE = 100
const TOP = { from: 0, to: 20 }

/** A list of numbers, a page of it by a token. */
function readPage(token: string, total: number): RowPage<number> {
  const start = Number(token)
  const end = Math.min(total, start + PAGE)
  return {
    rows: Array.from({ length: end - start }, (_, at) => start + at),
    nextToken: end < total ? String(end) : '',
  }
}

function start(total: number): RowWindow<number> {
  return startWindow(readPage('', total))
}

function read(list: RowWindow<number>, page: number, total: number, seen: RowRange): RowWindow<number> {
  return addPage(list, { page, read: readPage(tokenOf(list, page), total), seen })
}

/** Reads what rows need, as scrolling to them does. */
function scrollTo(list: RowWindow<number>, seen: RowRange, total: number): RowWindow<number> {
  let now = list
  for (let page = wantedPage(now, seen); page !== undefined; page = wantedPage(now, seen)) {
    now = read(now, page, total, seen)
  }
  return now
}

/** Scrolls from the first row to another one, half a page at a time. */
function scrollDown(row: number, total: number): RowWindow<number> {
  let now = start(total)
  for (let from = 0; from <= row; from += PAGE / 2) now = scrollTo(now, { from, to: from + 20 }, total)
  return now
}

describe('a window of a long list', () => {
  test('reads nothing more while the first page has the rows below the visible ones', () => {
    expect(wantedPage(start(1000), TOP)).toBeUndefined()
    expect(wantedPage(start(1000), { from: 30, to: 50 })).toBe(1)
  })

  test('ends with the last row', () => {
    const list = scrollDown(250, 250)
    expect(countRead(list)).toBe(250)
    expect(wantedPage(list, { from: 230, to: 249 })).toBeUndefined()
    expect(rowAt(list, 249)).toBe(249)
    expect(rowAt(list, 250)).toBeUndefined()
  })

  test('keeps a bounded number of pages, those around the visible rows', () => {
    const list = scrollDown(9900, 100_000)
    expect(list.rows.size).toBe(PAGES_KEPT)
    expect(rowAt(list, 9900)).toBe(9900)
    expect(rowAt(list, 0)).toBeUndefined()
  })

  test('reads a dropped page again by its token, the visible one first', () => {
    const list = scrollDown(9900, 100_000)
    expect(wantedPage(list, TOP)).toBe(0)
    const top = scrollTo(list, TOP, 100_000)
    expect(rowAt(top, 0)).toBe(0)
    expect(countRead(top)).toBe(countRead(list))
    const middle = scrollTo(top, { from: 4210, to: 4230 }, 100_000)
    expect(rowAt(middle, 4215)).toBe(4215)
  })

  test('the rows around a visible one have no gap', () => {
    const top = scrollTo(scrollDown(9900, 100_000), TOP, 100_000)
    expect(rowsAround(top, 0)).toEqual(readPage('', 100_000).rows)
    expect(rowsAround(scrollDown(250, 1000), 0)).toHaveLength(400)
  })

  test('a page with fewer rows than the others moves no row', () => {
    const short: RowPage<number> = { rows: [100, 101], nextToken: '102' }
    const list = addPage(start(1000), { page: 1, read: short, seen: TOP })
    const longer = addPage(list, { page: 2, read: readPage('102', 1000), seen: TOP })
    expect([101, 102, 201].map((row) => rowAt(longer, row))).toEqual([101, 102, 201])
  })
})
