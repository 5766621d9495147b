import { expect, test } from 'vitest'
import { BodyPace, PACE_RULE } from './body-pace.ts'

const MIB = 1024 * 1024
const NEVER = 3600

/** Seconds until a body is dropped that starts with `atOnce` bytes and continues at a rate until it has `bytes`. */
function secondsUntilLetGo(atOnce: number, bytesPerSecond: number, bytes = Number.POSITIVE_INFINITY): number {
  const pace = new BodyPace(PACE_RULE, 0)
  pace.add(atOnce)
  let held = atOnce
  for (let second = 1; second < NEVER; second++) {
    if (held >= bytes) return NEVER
    pace.add(bytesPerSecond)
    held += bytesPerSecond
    if (pace.isTooSlow(held, second * 1000)) return second
  }
  return NEVER
}

test.each<readonly [string, readonly [atOnce: number, bytesPerSecond: number, bytes?: number], number]>([
  ['a mebibyte over a slow line', [0, 7.5 * 1024, MIB], NEVER],
  ['8 MiB over a line of 1 Mbit/s', [0, 128 * 1024, 8 * MIB], NEVER],
  ['nothing after the first bytes', [1000, 0], 10],
  ['a byte now and then', [1000, 1], 10],
  ['almost all at once, and then a little', [7.4 * MIB, 1700], 20],
  ['a steady little that never ends', [0, 8 * 1024], 150],
])('%s: a body of it may take so long', (_, [atOnce, bytesPerSecond, bytes], seconds) => {
  expect(secondsUntilLetGo(atOnce, bytesPerSecond, bytes)).toBe(seconds)
})
