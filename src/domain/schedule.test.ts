import { describe, expect, test } from 'vitest'
import { countSkippedUnits, isNewUnit, readSchedule, type Schedule } from './schedule.ts'

const HOURLY: Schedule = { every: 'hour', minute: 5, hour: 0, day: 0 }
const DAILY: Schedule = { every: 'day', minute: 30, hour: 2, day: 0 }
const WEEKLY: Schedule = { every: 'week', minute: 0, hour: 8, day: 4 }
const MONTHLY: Schedule = { every: 'month', minute: 0, hour: 8, day: 31 }

const ms = (text: string): number => Date.parse(text)
const iso = (instant: number): string => new Date(instant).toISOString().slice(0, 16)

function read(schedule: Schedule, timeZone: string, now: string): readonly string[] {
  const { last, nextDueMs } = readSchedule(schedule, { nowMs: ms(now), timeZone })
  return [last.dueMs, last.fromMs, last.toMs, nextDueMs].map(iso)
}

describe('the last time of a schedule, its complete unit, and the next time', () => {
  test.each<[name: string, schedule: Schedule, zone: string, now: string, answer: readonly string[]]>([
    [
      'every hour, before the minute',
      HOURLY,
      'UTC',
      '2026-06-01T10:04:59Z',
      ['2026-06-01T09:05', '2026-06-01T08:00', '2026-06-01T09:00', '2026-06-01T10:05'],
    ],
    [
      'every hour, at the minute',
      HOURLY,
      'UTC',
      '2026-06-01T10:05:00Z',
      ['2026-06-01T10:05', '2026-06-01T09:00', '2026-06-01T10:00', '2026-06-01T11:05'],
    ],
    [
      'every hour of a zone with half hours',
      HOURLY,
      'Asia/Kolkata',
      '2026-06-01T10:40:00Z',
      ['2026-06-01T10:35', '2026-06-01T09:30', '2026-06-01T10:30', '2026-06-01T11:35'],
    ],
    [
      'every day, in a zone behind UTC',
      DAILY,
      'America/New_York',
      '2026-06-01T06:29:00Z',
      ['2026-05-31T06:30', '2026-05-30T04:00', '2026-05-31T04:00', '2026-06-01T06:30'],
    ],
    [
      'every day, at a time that the clocks skip',
      DAILY,
      'Europe/Berlin',
      '2026-03-29T01:30:00Z',
      ['2026-03-29T01:30', '2026-03-27T23:00', '2026-03-28T23:00', '2026-03-30T00:30'],
    ],
    [
      'every day, at a time that the clocks repeat',
      DAILY,
      'Europe/Berlin',
      '2026-10-25T01:29:00Z',
      ['2026-10-25T00:30', '2026-10-23T22:00', '2026-10-24T22:00', '2026-10-26T01:30'],
    ],
    [
      'every day, where midnight is skipped',
      { ...DAILY, hour: 0, minute: 0 },
      'Asia/Beirut',
      '2024-03-30T22:00:00Z',
      ['2024-03-30T22:00', '2024-03-29T22:00', '2024-03-30T22:00', '2024-03-31T21:00'],
    ],
    [
      'every week, on a Monday before its Thursday',
      WEEKLY,
      'UTC',
      '2026-11-23T12:00:00Z',
      ['2026-11-19T08:00', '2026-11-09T00:00', '2026-11-16T00:00', '2026-11-26T08:00'],
    ],
    [
      'every week, on a Sunday',
      WEEKLY,
      'UTC',
      '2026-11-29T23:59:00Z',
      ['2026-11-26T08:00', '2026-11-16T00:00', '2026-11-23T00:00', '2026-12-03T08:00'],
    ],
    [
      'every month, on a day that February does not have',
      MONTHLY,
      'UTC',
      '2024-02-29T08:00:00Z',
      ['2024-02-29T08:00', '2024-01-01T00:00', '2024-02-01T00:00', '2024-03-31T08:00'],
    ],
    [
      'every month, over the end of a year',
      MONTHLY,
      'UTC',
      '2027-01-15T00:00:00Z',
      ['2026-12-31T08:00', '2026-11-01T00:00', '2026-12-01T00:00', '2027-01-31T08:00'],
    ],
  ])('%s', (_, schedule, zone, now, answer) => {
    expect(read(schedule, zone, now)).toEqual(answer)
  })
})

/** Every due time in a range, found by looking every ten minutes. */
function dueTimes(schedule: Schedule, timeZone: string, from: string, to: string): readonly string[] {
  const found: string[] = []
  let doneMs = readSchedule(schedule, { nowMs: ms(from), timeZone }).last.toMs
  for (let nowMs = ms(from); nowMs <= ms(to); nowMs += 600_000) {
    const { last } = readSchedule(schedule, { nowMs, timeZone })
    if (!isNewUnit(schedule, last, doneMs)) continue
    doneMs = last.toMs
    found.push(iso(last.dueMs))
  }
  return found
}

describe('when the clocks change', () => {
  test.each([
    [
      'forward',
      '2026-03-28T00:00:00Z',
      '2026-03-31T00:00:00Z',
      ['2026-03-28T01:30', '2026-03-29T01:30', '2026-03-30T00:30'],
    ],
    [
      'back',
      '2026-10-24T00:00:00Z',
      '2026-10-27T00:00:00Z',
      ['2026-10-24T00:30', '2026-10-25T00:30', '2026-10-26T01:30'],
    ],
  ])('%s, a daily time comes once a day', (_, from, to, times) => {
    expect(dueTimes(DAILY, 'Europe/Berlin', from, to)).toEqual(times)
  })

  test.each([
    ['forward', '2026-03-28T22:50:00Z', '2026-03-29T22:50:00Z'],
    ['back', '2026-10-24T22:50:00Z', '2026-10-25T22:50:00Z'],
  ])('%s, every hour of 24 comes once', (_, from, to) => {
    const times = dueTimes(HOURLY, 'Europe/Berlin', from, to)
    expect(times).toHaveLength(24)
    expect(new Set(times).size).toBe(24)
  })
})

describe('a unit', () => {
  const dayEndingAt = (zone: string, now: string) =>
    readSchedule(DAILY, { nowMs: ms(now), timeZone: zone }).last

  test.each([
    ['Europe/Berlin', 'Europe/London', '2026-06-01T12:00:00Z', false],
    ['Pacific/Auckland', 'America/Los_Angeles', '2026-06-02T12:00:00Z', true],
    ['America/Los_Angeles', 'Pacific/Auckland', '2026-06-01T12:00:00Z', false],
  ])('that a move from %s to %s shifts is new only where most of it is: %s', (before, after, now, isNew) => {
    const done = dayEndingAt(before, '2026-06-01T12:00:00Z')
    expect(isNewUnit(DAILY, dayEndingAt(after, now), done.toMs)).toBe(isNew)
  })

  test('that ended before the one that is done is not new', () => {
    const done = dayEndingAt('UTC', '2026-06-05T12:00:00Z')
    expect(isNewUnit(DAILY, dayEndingAt('UTC', '2026-06-04T12:00:00Z'), done.toMs)).toBe(false)
  })

  test.each([
    [HOURLY, '2026-06-01T12:10:00Z', '2026-06-01T13:10:00Z', 0],
    [HOURLY, '2026-06-01T12:10:00Z', '2026-06-01T17:10:00Z', 4],
    [MONTHLY, '2026-05-31T12:00:00Z', '2026-07-31T12:00:00Z', 1],
  ])('is skipped when a later one is done after it', (schedule, before, after, count) => {
    const at = (now: string) => readSchedule(schedule, { nowMs: ms(now), timeZone: 'UTC' }).last
    expect(countSkippedUnits(schedule, at(after), at(before).toMs)).toBe(count)
  })
})
