import { expect, test } from 'vitest'
import { QuietPeriods } from './quiet-periods.ts'

/** What looks every 30 s find, with the CPU seconds between them. */
function looksAt(cpuSeconds: readonly number[]): boolean[] {
  const time = { cpuMs: 1000, nowMs: 0 }
  const periods = new QuietPeriods({ ...time })
  return cpuSeconds.map((seconds) => {
    time.cpuMs += seconds * 1000
    time.nowMs += 30_000
    return periods.begins({ ...time })
  })
}

test('a quiet period begins after the start, and after work', () => {
  expect(looksAt([0.2, 0.2, 9, 9, 0.2, 0.2, 9, 0.2])).toEqual([
    true,
    false,
    false,
    false,
    true,
    false,
    false,
    true,
  ])
})

test('a process that still starts is not quiet', () => {
  expect(looksAt([2, 1, 0.1])).toEqual([false, false, true])
})

test('little work is no work', () => {
  expect(looksAt([0.5, 0.55, 0.65, 0.55])).toEqual([true, false, false, true])
})
