import { describe, expect, test } from 'vitest'
import type { StoredImport } from './import-store.ts'
import { cutDays, daysThatStartIn, findShownDays } from './shown-days.ts'

function imported(
  id: string,
  [firstDay, lastDay]: readonly [string, string],
  more: Partial<StoredImport> = {},
): StoredImport {
  const counts = { batches: 1, rows: 1, createdMs: 1, finishedMs: 1 }
  return {
    id,
    name: id,
    digest: id,
    firstDay,
    lastDay,
    shownUntil: lastDay,
    dimensions: [1],
    ...counts,
    ...more,
  }
}

const SPRING = ['2025-03-01', '2025-03-31'] as const
const MIDDLE = ['2025-03-10', '2025-03-20'] as const

const shownOf = (...imports: readonly StoredImport[]): readonly string[] =>
  findShownDays(imports).map(({ importId, from, to }) => `${importId} ${from} ${to}`)

describe('the days that are shown', () => {
  test('are those of a finished import, up to its last day to show', () => {
    expect(shownOf(imported('a', SPRING))).toEqual(['a 2025-03-01 2025-03-31'])
    expect(shownOf(imported('a', SPRING, { shownUntil: '2025-03-07' }))).toEqual(['a 2025-03-01 2025-03-07'])
    expect(shownOf(imported('a', SPRING, { shownUntil: '2025-05-01' }))).toEqual(['a 2025-03-01 2025-03-31'])
    expect(shownOf(imported('a', SPRING, { shownUntil: '2025-02-28' }))).toEqual([])
    expect(shownOf(imported('a', SPRING, { finishedMs: undefined }))).toEqual([])
  })

  test('are each of the import that was finished last', () => {
    const [older, newer] = [imported('a', SPRING), imported('b', MIDDLE, { finishedMs: 2 })]
    const split = ['a 2025-03-01 2025-03-09', 'b 2025-03-10 2025-03-20', 'a 2025-03-21 2025-03-31']
    expect(shownOf(older, newer)).toEqual(split)
    expect(shownOf(newer, older)).toEqual(split)
    expect(shownOf(imported('a', SPRING, { finishedMs: 3 }), newer)).toEqual(['a 2025-03-01 2025-03-31'])
    const cut = imported('b', MIDDLE, { finishedMs: 2, shownUntil: '2025-03-10' })
    expect(shownOf(older, cut)).toEqual([
      'a 2025-03-01 2025-03-09',
      'b 2025-03-10 2025-03-10',
      'a 2025-03-11 2025-03-31',
    ])
  })
})

test('days are cut to a range, its first and last day included', () => {
  const shown = findShownDays([imported('a', SPRING)])
  const days = (from: string, to: string): readonly string[] =>
    cutDays(shown, { from, to }).map((part) => `${part.from} ${part.to}`)
  expect(days('2025-03-31', '2025-04-30')).toEqual(['2025-03-31 2025-03-31'])
  expect(days('2025-02-01', '2025-03-01')).toEqual(['2025-03-01 2025-03-01'])
  expect(days('2025-04-01', '2025-04-30')).toEqual([])
})

test.each([
  ['a whole day', '2025-03-21T23:00:00Z', '2025-03-22T23:00:00Z', '2025-03-22 2025-03-22'],
  ['a day that began before', '2025-03-21T23:00:00.001Z', '2025-03-23T23:00:00Z', '2025-03-23 2025-03-23'],
  [
    'a day of which only the start is in',
    '2025-03-21T23:00:00Z',
    '2025-03-22T23:00:00.001Z',
    '2025-03-22 2025-03-23',
  ],
  ['a day of 23 hours', '2025-03-29T23:00:00Z', '2025-03-30T22:00:00Z', '2025-03-30 2025-03-30'],
  ['hours without a start', '2025-03-22T08:00:00Z', '2025-03-22T18:00:00Z', undefined],
  ['nothing', '2025-03-22T08:00:00Z', '2025-03-22T08:00:00Z', undefined],
])('a range has the days that start in it: %s', (_, from, to, expected) => {
  const days = daysThatStartIn({ fromMs: Date.parse(from), toMs: Date.parse(to) }, 'Europe/Berlin')
  expect(days && `${days.from} ${days.to}`).toBe(expected)
})
