import { beforeEach, expect, test } from 'vitest'
import { RecentArrivals } from './recent-arrivals.ts'

let nowMs: number
let arrivals: RecentArrivals

beforeEach(() => {
  nowMs = 1_000_000
  arrivals = new RecentArrivals(() => nowMs)
})

/** Looks every three seconds, as the service does. */
function lookFor(minutes: number, state: string): void {
  for (const endMs = nowMs + minutes * 60_000; nowMs < endMs; nowMs += 3000) arrivals.note(state)
}

test('arrivals are recent until ten minutes without a change have passed', () => {
  expect(arrivals.areRecent).toBe(true)
  lookFor(9, '10')
  expect(arrivals.areRecent).toBe(true)
  lookFor(2, '10')
  expect(arrivals.areRecent).toBe(false)
  arrivals.note('11')
  expect(arrivals.areRecent).toBe(true)
  lookFor(11, '11')
  expect(arrivals.areRecent).toBe(false)
})

test('while the store cannot be looked at, rows may have arrived', () => {
  lookFor(11, '10')
  nowMs += 31_000
  expect(arrivals.areRecent).toBe(true)
  arrivals.note('10')
  expect(arrivals.areRecent).toBe(false)
})
