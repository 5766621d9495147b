import { describe, expect, test } from 'vitest'
import { CostTally } from './server-timing.ts'

const cost = { readRows: 10, readBytes: 500, elapsedMs: 1.23456 }

describe('the timing of a call', () => {
  test('sums all of its queries', () => {
    const tally = new CostTally()
    tally.report(cost, 'hit')
    tally.report(cost, 'miss')
    tally.report(cost, 'coalesced')
    expect(tally.serverTiming).toBe('store;dur=3.704, rows;desc="30", bytes;desc="1500", cache;desc="miss"')
  })

  test.each([
    [['hit', 'hit'], 'hit'],
    [['hit', 'coalesced'], 'coalesced'],
    [[], 'hit'],
  ] as const)('of the cache sources %j is %s', (sources, expected) => {
    const tally = new CostTally()
    for (const source of sources) tally.report(cost, source)
    expect(tally.serverTiming).toContain(`cache;desc="${expected}"`)
  })
})
