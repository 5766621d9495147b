import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Heartbeat } from './heartbeat.ts'

let beats: number
let silences: number
/** Whether the process answers. */
let isAlive: boolean
let heartbeat: Heartbeat

beforeEach(() => {
  vi.useFakeTimers()
  ;[beats, silences, isAlive] = [0, 0, true]
  heartbeat = new Heartbeat({
    beat: () => {
      beats++
      if (isAlive) heartbeat.answered()
    },
    onSilent: () => silences++,
  })
})

afterEach(() => {
  heartbeat.stop()
  vi.useRealTimers()
})

test('a process that answers is left alone', () => {
  vi.advanceTimersByTime(3_600_000)
  expect({ beats, silences }).toEqual({ beats: 360, silences: 0 })
})

test('a process that answers nothing for a minute hangs, which is reported once', () => {
  isAlive = false
  vi.advanceTimersByTime(60_000)
  expect(silences).toBe(0)
  vi.advanceTimersByTime(10_000)
  expect(silences).toBe(1)
  vi.advanceTimersByTime(3_600_000)
  expect({ beats, silences }).toEqual({ beats: 6, silences: 1 })
})

test('an answer within the minute starts it over', () => {
  isAlive = false
  vi.advanceTimersByTime(60_000)
  heartbeat.answered()
  vi.advanceTimersByTime(60_000)
  expect(silences).toBe(0)
})

test('a process that has ended is not watched', () => {
  heartbeat.stop()
  vi.advanceTimersByTime(3_600_000)
  expect({ beats, silences }).toEqual({ beats: 0, silences: 0 })
})
