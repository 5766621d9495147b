import { create } from '@bufbuild/protobuf'
import { expect, test } from 'vitest'
import {
  AlertCadence,
  QuietHoursSchema,
  AlertCondition_Subject as Subject,
} from '../../contract/gen/millrace/alerts/v1/alert_pb.js'
import type { RangeMs } from '../time-ranges.ts'
import { baselineRange, type ChangeSubject, lastUnit, unitsUntil } from './alert-units.ts'
import { quietUntil } from './quiet-hours.ts'

const at = (text: string): number => Date.parse(text)
const write = ({ fromMs, toMs }: RangeMs): string =>
  `${new Date(fromMs).toISOString().slice(0, 16)} ${new Date(toMs).toISOString().slice(0, 16)}`

test.each([
  [
    'an hour',
    AlertCadence.HOURLY,
    'Asia/Kolkata',
    '2026-06-01T10:45:00Z',
    '2026-06-01T09:30 2026-06-01T10:30',
  ],
  [
    'a day of 23 hours',
    AlertCadence.DAILY,
    'Europe/Berlin',
    '2026-03-30T10:00:00Z',
    '2026-03-28T23:00 2026-03-29T22:00',
  ],
  [
    'a day of 25 hours',
    AlertCadence.DAILY,
    'Europe/Berlin',
    '2026-10-26T10:00:00Z',
    '2026-10-24T22:00 2026-10-25T23:00',
  ],
  [
    'a week from Monday',
    AlertCadence.WEEKLY,
    'UTC',
    '2026-06-03T10:00:00Z',
    '2026-05-25T00:00 2026-06-01T00:00',
  ],
  ['a month', AlertCadence.MONTHLY, 'UTC', '2026-03-31T10:00:00Z', '2026-02-01T00:00 2026-03-01T00:00'],
])('the last complete unit can be %s', (_, cadence, timeZone, now, expected) => {
  expect(write(lastUnit(cadence, { nowMs: at(now), timeZone }))).toBe(expected)
})

test('units follow one another without a gap over a change of the clocks', () => {
  const toMs = at('2026-10-27T23:00:00Z')
  const units = unitsUntil(AlertCadence.DAILY, { toMs, timeZone: 'Europe/Berlin', count: 4 })
  expect(units.map(({ fromMs, toMs: endMs }) => (endMs - fromMs) / 3_600_000)).toEqual([24, 25, 24, 24])
  expect(units.slice(1).map(({ fromMs }) => fromMs)).toEqual(
    units.slice(0, -1).map(({ toMs: endMs }) => endMs),
  )
})

const hour = (from: string): RangeMs => ({ fromMs: at(from), toMs: at(from) + 3_600_000 })

test.each<[string, ChangeSubject, RangeMs, number, string]>([
  ['the unit before', Subject.CHANGE, hour('2026-06-01T10:00:00Z'), 1, '2026-06-01T09:00 2026-06-01T10:00'],
  [
    'a week before',
    Subject.WEEKLY_CHANGE,
    hour('2026-06-08T10:00:00Z'),
    1,
    '2026-06-01T10:00 2026-06-01T11:00',
  ],
  [
    'the same local hour a week before, when the clocks changed',
    Subject.WEEKLY_CHANGE,
    hour('2026-03-30T10:00:00Z'),
    1,
    '2026-03-23T11:00 2026-03-23T12:00',
  ],
  [
    'a whole hour before one that the clocks repeat',
    Subject.WEEKLY_CHANGE,
    hour('2026-10-25T00:00:00Z'),
    1,
    '2026-10-18T00:00 2026-10-18T01:00',
  ],
])('a change compares with %s', (_, subject, range, count, expected) => {
  const of = { subject, timeZone: 'Europe/Berlin', reach: { count, step: count } } as const
  expect(write(baselineRange(AlertCadence.HOURLY, range, of))).toBe(expected)
})

test('a range of several days is compared with as many days before it', () => {
  const range = { fromMs: at('2026-06-04T00:00:00Z'), toMs: at('2026-06-07T00:00:00Z') }
  const of = { subject: Subject.CHANGE, timeZone: 'UTC', reach: { count: 3, step: 3 } } as const
  expect(write(baselineRange(AlertCadence.DAILY, range, of))).toBe('2026-06-01T00:00 2026-06-04T00:00')
})

const NIGHT = { startMinute: 22 * 60, endMinute: 7 * 60, timeZone: 'Europe/Berlin' }

test.each([
  ['before midnight until the next morning', NIGHT, '2026-06-01T21:00:00Z', '2026-06-02T05:00:00.000Z'],
  ['after midnight until the morning', NIGHT, '2026-06-02T00:30:00Z', '2026-06-02T05:00:00.000Z'],
  ['never in the day', NIGHT, '2026-06-01T12:00:00Z', undefined],
  ['not in their first minute after the end', NIGHT, '2026-06-02T05:00:00Z', undefined],
  ['through a night of a changed clock', NIGHT, '2026-03-28T22:00:00Z', '2026-03-29T05:00:00.000Z'],
  [
    'until a skipped local time is over',
    { ...NIGHT, endMinute: 150 },
    '2026-03-29T00:30:00Z',
    '2026-03-29T01:30:00.000Z',
  ],
  ['in the zone of the project by default', { ...NIGHT, timeZone: '' }, '2026-06-01T21:30:00Z', undefined],
])('quiet hours last %s', (_, hours, now, expected) => {
  const end = quietUntil(create(QuietHoursSchema, hours), { nowMs: at(now), timeZone: 'UTC' })
  expect(end === undefined ? undefined : new Date(end).toISOString()).toBe(expected)
})
