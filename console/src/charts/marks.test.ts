import { describe, expect, test } from 'vitest'
import type { ChartNote } from '../context/chart-notes.ts'
import { groupAnnotations } from './annotation-groups.ts'
import { clearOfText, hatchPath } from './funnel-model.ts'
import { quantileBounds, quantileStep } from './quantiles.ts'
import { foldParts, type RankedRow, scaleOf, shareOf } from './ranked-rows.ts'
import { type Sorting, sortRows } from './series-sorting.ts'

const row = (label: string, value: number, isOther = false): RankedRow => ({
  label,
  value,
  text: String(value),
  isOther,
})

describe('ranked bars', () => {
  test('are scaled by the longest value, and not by the rest of all others', () => {
    const rows = [row('a', 50), row('b', 25), row('Other', 900, true)]
    expect(rows.map((one) => shareOf(one, scaleOf(rows)))).toEqual([1, 0.5, 1])
    expect(scaleOf([row('Other', 9, true)])).toBe(9)
    expect(shareOf(row('a', -5), 10)).toBe(0)
  })
})

describe('the parts of a pie', () => {
  test('are at most six, the last one with all others', () => {
    const rows = [...Array.from({ length: 8 }, (_, at) => row(`v${at}`, 10 - at)), row('Other', 7, true)]
    const parts = foldParts(rows, String)
    expect(parts.map(({ label }) => label)).toEqual(['v0', 'v1', 'v2', 'v3', 'v4', 'Other'])
    expect(parts.at(-1)?.value).toBe(5 + 4 + 3 + 7)
  })

  test('are all values where there are few, without those that are no part', () => {
    expect(foldParts([row('a', 1), row('b', 2), row('c', 0)], String).map(({ label }) => label)).toEqual([
      'b',
      'a',
    ])
  })
})

describe('the shades of a map', () => {
  test('have about as many values each, and the highest has the last one', () => {
    const values = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10_000]
    const bounds = quantileBounds(values)
    expect(values.map((value) => quantileStep(value, bounds))).toEqual([1, 1, 2, 2, 3, 3, 4, 4, 5, 5])
    expect(quantileStep(0, bounds)).toBe(0)
  })

  test('of one country is the last one', () => {
    expect(quantileStep(3, quantileBounds([3, 3]))).toBe(5)
  })
})

describe('annotations', () => {
  const note = (timeMs: number, title = 'Sale'): ChartNote => ({
    id: `${timeMs}`,
    timeMs,
    title,
    author: '',
    dashboardId: '',
  })
  const times = Array.from({ length: 30 }, (_, at) => at * 10)
  const looksOf = (notes: readonly ChartNote[]) =>
    groupAnnotations(notes, { times, bucketPixels: 20 }).map(({ index, look, annotations }) => [
      index,
      look,
      annotations.length,
    ])

  test('have their title where there is room', () => {
    expect(looksOf([note(150), note(205)])).toEqual([
      [15, 'pill', 1],
      [20, 'pill', 1],
    ])
  })

  test('are rings beside others and at the edge, several of a bucket are one, others are not shown', () => {
    expect(looksOf([note(150), note(160), note(165), note(290), note(-5), note(5000)])).toEqual([
      [15, 'ring', 1],
      [16, 'ring', 2],
      [29, 'ring', 1],
    ])
  })
})

describe('the table of series', () => {
  const rows = [
    { line: { label: 'b' }, value: 5, previous: 1 },
    { line: { label: 'a' }, value: undefined, previous: 4 },
    { line: { label: 'c' }, value: 9, previous: 10 },
  ]
  test.each<[Sorting, string]>([
    [{ column: 'value', direction: 'descending' }, 'cba'],
    [{ column: 'value', direction: 'ascending' }, 'bca'],
    [{ column: 'name', direction: 'ascending' }, 'abc'],
    [{ column: 'previous', direction: 'descending' }, 'cab'],
  ])('is sorted by %j', (sorting, order) => {
    expect(
      sortRows(rows, sorting)
        .map(({ line }) => line.label)
        .join(''),
    ).toBe(order)
  })

  test('is sorted by relative change, unknown ones last', () => {
    const sorted = sortRows(rows, { column: 'change', direction: 'descending' })
    expect(sorted.map(({ line }) => line.label)[0]).toBe('b')
  })
})

test('the lines of a hatched box stay inside of it', () => {
  const numbers = hatchPath({ left: 0, top: 0, width: 20, height: 50 }).match(/[\d.]+ [\d.]+/g) ?? []
  expect(numbers.length).toBe(2 * Math.floor(70 / 8))
  const points = numbers.map((pair) => pair.split(' ').map(Number))
  expect(points.every(([x = -1, y = -1]) => x >= 0 && x <= 20 && y >= 0 && y <= 50)).toBe(true)
})

test('a hatched box has no line behind the text at its lower edge', () => {
  const box = { left: 10, top: 4, width: 60, height: 200 }
  expect(clearOfText(box, 24)).toEqual({ ...box, height: 176 })
  expect(hatchPath(clearOfText({ ...box, height: 20 }, 24))).toBe('')
})
