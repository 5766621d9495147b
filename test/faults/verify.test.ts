import { expect, test } from 'vitest'
import { EventSeries } from './event-series.ts'
import { Ledger } from './ledger.ts'
import { NOTHING_FOUND, verify } from './verify.ts'

const series = new EventSeries(1)

/** Eight events: six acknowledged, one refused, one unknown. */
function fillLedger(): Ledger {
  const ledger = new Ledger()
  ledger.settle(ledger.open(6), 'acknowledged')
  ledger.settle(ledger.open(1), 'refused')
  ledger.settle(ledger.open(1), 'unknown')
  return ledger
}

function compare(copies: readonly number[], change: { foreign?: number; trends?: object } = {}) {
  const trends = Object.fromEntries(
    series.kinds.map((kind, index) => [kind, (copies[index] ? 1 : 0) + (copies[index + 4] ? 1 : 0)]),
  )
  const rows = copies.reduce((sum, count) => sum + count, 0)
  const foreign = change.foreign ?? 0
  const stored = { copies: Uint8Array.from(copies), rows, rawRows: rows, foreign, altered: 0 }
  return verify({ ledger: fillLedger(), stored, trends: { ...trends, ...change.trends } }, series)
}

test.each([
  ['stored', [1, 1, 1, 1, 1, 1, 1, 1]],
  ['not stored', [1, 1, 1, 1, 1, 1, 0, 0]],
])('what was not acknowledged may be %s', (_, copies) => {
  expect(compare(copies)).toEqual(NOTHING_FOUND)
})

test('an acknowledged event that is not stored is lost', () => {
  expect(compare([1, 0, 1, 1, 1, 1, 0, 0])).toMatchObject({ lost: 1, doubled: 0 })
})

test('an event that a read gives twice is doubled', () => {
  expect(compare([1, 2, 1, 1, 1, 1, 0, 0])).toMatchObject({ lost: 0, doubled: 1 })
})

test('a stored event that was never sent is foreign', () => {
  expect(compare([1, 1, 1, 1, 1, 1, 0, 0], { foreign: 1 })).toMatchObject({ foreign: 1 })
})

test('a total that differs from the stored events is miscounted', () => {
  expect(compare([1, 1, 1, 1, 1, 1, 0, 0], { trends: { fault_view: 3 } }).miscounted).toEqual([
    'fault_view: 2 stored, 3 counted',
  ])
})

test('an acknowledgement outlives every later ending of the same event', () => {
  const ledger = new Ledger()
  const numbers = ledger.open(2)
  ledger.settle(numbers, 'acknowledged')
  ledger.settle(numbers, 'unknown')
  expect(ledger.counts()).toEqual({ sent: 2, acknowledged: 2, refused: 0, unknown: 0 })
})

test('the same number is the same event, and its id leads back to it', () => {
  const [first, second] = [series.body([70_000]), new EventSeries(1).body([70_000])]
  expect(first).toEqual(second)
  const { events } = JSON.parse(first.toString()) as { readonly events: readonly { eventId: string }[] }
  expect(series.numberOf(events[0]?.eventId ?? '')).toBe(70_000)
  expect(new EventSeries(2).numberOf(events[0]?.eventId ?? '')).toBeUndefined()
})
