import { expect, test } from 'vitest'
import { windowOf } from './event-window.ts'

const now = { nowMs: Date.parse('2026-11-22T15:04:05Z'), timeZone: 'UTC' }
const newest = { minuteMs: undefined, period: undefined }
const msOf = (iso: string): number => Date.parse(`2026-11-${iso}Z`)

test.each([
  ['the newest events are those that arrived', newest, undefined, true],
  [
    'a minute is the events that happened up to its end',
    { ...newest, minuteMs: msOf('22T15:00:00') },
    { fromMs: 0, toMs: msOf('22T15:01:00') },
    false,
  ],
  [
    'a period is the events that happened in it',
    { ...newest, period: 'yesterday' },
    { fromMs: msOf('21T00:00:00'), toMs: msOf('22T00:00:00') },
    false,
  ],
  [
    'a current period ends now',
    { ...newest, period: 'today' },
    { fromMs: msOf('22T00:00:00'), toMs: msOf('22T15:04:10') },
    false,
  ],
  [
    'all time has no beginning',
    { ...newest, period: 'all-time' },
    { fromMs: 0, toMs: msOf('22T15:04:10') },
    false,
  ],
] as const)('%s', (_, query, range, isByArrival) => {
  expect(windowOf(query, now)).toMatchObject({ range, isByArrival })
})

test.each([
  [newest, 0],
  [{ ...newest, period: 'yesterday' }, msOf('21T00:00:00')],
] as const)('older events of %j end before the last one', (query, fromMs) => {
  const beforeMs = msOf('21T08:00:00')
  expect(windowOf(query, now, beforeMs).range).toEqual({ fromMs, toMs: beforeMs })
})

test.each([
  [newest, false],
  [{ ...newest, period: 'today' }, false],
  [{ ...newest, period: 'LAST_1_HOUR' }, false],
  [{ ...newest, period: 'yesterday' }, true],
] as const)('%j is over: %j', (query, isOver) => {
  expect(windowOf(query, now).isOver).toBe(isOver)
})
