import { Packr } from 'msgpackr'
import { describe, expect, it } from 'vitest'
import {
  assignSession,
  SESSION_IDLE_MS,
  type SessionHistory,
  TIMES_REMEMBERED_MAX,
} from './session-history.ts'
import { DAY_MS } from './utc-day.ts'

describe('the history of a visitor', () => {
  it('stays below 20 kB for any events of a day', () => {
    const history: SessionHistory = []
    for (let start = 0; start < DAY_MS; start += SESSION_IDLE_MS + 60_000) {
      for (let index = 0; index < 1000; index++) {
        assignSession(history, new Uint8Array(16), start + ((index * 7919) % 50_000))
      }
    }
    expect(history.length).toBeGreaterThan(45)
    expect(history.length).toBeLessThanOrEqual(48)
    expect(Math.max(...history.map(([, , , , times]) => times.length))).toBeLessThanOrEqual(
      TIMES_REMEMBERED_MAX,
    )
    expect(new Packr({ useRecords: false }).pack(history).length).toBeLessThan(20_000)
  })

  it('recognises all its times, even more than it stores individually', () => {
    const history: SessionHistory = []
    const id = new Uint8Array(16).fill(1)
    const times = Array.from({ length: 500 }, (_, index) => ((index * 379) % 500) * 1000)
    for (const time of times) assignSession(history, id, time)
    for (let time = 500_000; time < 5_000_000; time += 600_000) assignSession(history, id, time)
    const found = times.map((time) => assignSession(history, new Uint8Array(16), time))
    expect(new Set(found)).toEqual(new Set([id]))
  })

  it('continues a session after exactly 30 idle minutes, and starts one after a millisecond more', () => {
    const history: SessionHistory = []
    const [first, second, third] = [1, 2, 3].map((fill) => new Uint8Array(16).fill(fill)) as [
      Uint8Array,
      Uint8Array,
      Uint8Array,
    ]
    expect(assignSession(history, first, 0)).toEqual(first)
    expect(assignSession(history, second, SESSION_IDLE_MS)).toEqual(first)
    expect(assignSession(history, third, 2 * SESSION_IDLE_MS + 1)).toEqual(third)
  })
})
