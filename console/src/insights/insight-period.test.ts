import { describe, expect, test } from 'vitest'
import {
  type Compare,
  chooseGranularity,
  comparedDays,
  comparedRange,
  fittingGranularities,
  type InsightPeriod,
  insightRange,
  matchesWeekdays,
  parseInsightPeriod,
  usualGranularity,
  writeInsightPeriod,
} from './insight-period.ts'
import type { Granularity } from './model/draft.ts'

const now = { nowMs: Date.parse('2026-11-22T15:04:05Z'), timeZone: 'Europe/Berlin' }
const isoOf = ({ fromMs, toMs }: { readonly fromMs: number; readonly toMs: number }): readonly string[] =>
  [fromMs, toMs].map((ms) => new Date(ms).toISOString().replace('.000', ''))
const last = (count: number, unit: 'days' | 'weeks' | 'months' = 'days') => ({ last: count, unit })

describe('a period in an address', () => {
  test.each<InsightPeriod>(['LAST_1_HOUR', 'today', last(30), { from: '2026-01-01', to: '2026-01-31' }])(
    '%j is read as written',
    (period) => {
      expect(parseInsightPeriod(writeInsightPeriod(period))).toEqual(period)
    },
  )

  test('may be a preset of a dashboard', () => {
    expect(parseInsightPeriod('LAST_7_DAYS')).toEqual(last(7))
    expect(parseInsightPeriod('LAST_365_DAYS')).toEqual(last(365))
  })

  test.each(['', 'toString', '2026-01-01', '2026-01-01..', '2026-02-30..2026-03-01'])('is not %j', (text) => {
    expect(parseInsightPeriod(text)).toBeUndefined()
  })
})

describe('the range of a period', () => {
  test('is whole days in the zone, and ends now', () => {
    expect(isoOf(insightRange(last(7), now))).toEqual(['2026-11-15T23:00:00Z', '2026-11-22T15:04:10Z'])
    expect(isoOf(insightRange({ from: '2026-11-24', to: '2026-11-24' }, now))).toEqual([
      '2026-11-23T23:00:00Z',
      '2026-11-24T23:00:00Z',
    ])
  })

  test('of hours begins with a whole bucket', () => {
    expect(isoOf(insightRange('LAST_24_HOURS', now))).toEqual([
      '2026-11-21T16:00:00Z',
      '2026-11-22T15:04:10Z',
    ])
  })

  test.each<[compare: Compare, period: InsightPeriod, from: string, to: string]>([
    ['previous', last(7), '2026-11-08T23:00:00Z', '2026-11-15T15:04:10Z'],
    // Weekdays match from a week on.
    ['previous', last(30), '2026-09-25T22:00:00Z', '2026-10-25T15:04:10Z'],
    ['previous', last(6), '2026-11-10T23:00:00Z', '2026-11-16T15:04:10Z'],
    ['week', last(2), '2026-11-13T23:00:00Z', '2026-11-15T15:04:10Z'],
    ['month', last(1), '2026-10-21T22:00:00Z', '2026-10-22T14:04:10Z'],
    ['year', 'today', '2025-11-21T23:00:00Z', '2025-11-22T15:04:10Z'],
    // A whole month is compared with a whole month.
    ['previous', { from: '2026-10-01', to: '2026-10-31' }, '2026-08-31T22:00:00Z', '2026-09-30T22:00:00Z'],
    ['week', 'LAST_1_HOUR', '2026-11-15T14:05:00Z', '2026-11-15T15:04:10Z'],
    ['previous', 'LAST_1_HOUR', '2026-11-22T13:05:00Z', '2026-11-22T14:04:10Z'],
    [{ from: '2026-03-01' }, last(7), '2026-02-28T23:00:00Z', '2026-03-07T15:04:10Z'],
    [{ from: '2026-11-20' }, 'LAST_1_HOUR', '2026-11-20T14:05:00Z', '2026-11-20T15:04:10Z'],
  ])('compared with %j, of %j, is cut off at the same time', (compare, period, from, to) => {
    const range = comparedRange({ compare, period, granularity: 'GRANULARITY_DAY' }, now)
    expect(range && isoOf(range)).toEqual([from, to])
  })

  test.each<[granularity: Granularity, from: string]>([
    ['GRANULARITY_DAY', '2026-05-05'],
    // November 9 is a Monday, as is May 4.
    ['GRANULARITY_WEEK', '2026-05-04'],
    ['GRANULARITY_MONTH', '2026-05-09'],
  ])('compared with a date, in buckets of %s, begins on the same day of them', (granularity, from) => {
    const query = { compare: { from: '2026-05-05' }, period: last(14), granularity }
    expect(comparedDays(query, now)?.from).toBe(from)
  })

  test.each<Compare>(['none', { from: '2026-11-16' }, { from: '2026-12-24' }])(
    'is compared with nothing by %j',
    (compare) => {
      const query = { compare, period: last(7), granularity: 'GRANULARITY_DAY' } as const
      expect(comparedRange(query, now)).toBeUndefined()
      expect(comparedDays(query, now)).toBeUndefined()
    },
  )

  test('of months is compared by days where its buckets are months', () => {
    const months = { compare: 'previous', period: last(60), granularity: 'GRANULARITY_MONTH' } as const
    const beforeMs = comparedRange(months, now)?.fromMs ?? Number.NaN
    const shiftMs = insightRange(months.period, now).fromMs - beforeMs
    expect(Math.round(shiftMs / 86_400_000)).toBe(60)
  })

  test.each<[period: InsightPeriod, matches: boolean]>([
    [last(30), true],
    [last(6), false],
    [{ from: '2026-10-01', to: '2026-10-31' }, false],
    ['LAST_1_HOUR', false],
  ])('of %j has the weekdays of the compared one: %j', (period, matches) => {
    const query = { compare: 'previous', period, granularity: 'GRANULARITY_DAY' } as const
    const before = comparedRange(query, now)
    expect(before && matchesWeekdays(insightRange(period, now), before)).toBe(matches)
  })

  test('of all time begins with the first event', () => {
    const { fromMs } = insightRange('all-time', { ...now, firstDate: '2026-10-01' })
    expect(new Date(fromMs).toISOString()).toBe('2026-09-30T22:00:00.000Z')
  })

  test('of weeks is compared by weeks, so that they begin on the same weekday', () => {
    const weeks = { period: last(4, 'weeks'), granularity: 'GRANULARITY_WEEK' } as const
    const { fromMs } = insightRange(weeks.period, now)
    for (const [compare, days] of [
      ['month', 28],
      ['year', 364],
    ] as const) {
      const beforeMs = comparedRange({ ...weeks, compare }, now)?.fromMs ?? Number.NaN
      expect(Math.round((fromMs - beforeMs) / 86_400_000)).toBe(days)
    }
  })
})

describe('the widths of buckets', () => {
  test.each<[period: InsightPeriod, widths: string]>([
    ['LAST_1_HOUR', 'MINUTE HOUR'],
    ['LAST_24_HOURS', 'HOUR'],
    ['today', 'HOUR'],
    [last(14), 'HOUR DAY WEEK'],
    [last(30), 'DAY WEEK'],
    [last(90), 'DAY WEEK MONTH'],
    [{ from: '2020-01-01', to: '2022-12-31' }, 'WEEK MONTH'],
    [{ from: '2010-01-01', to: '2019-12-30' }, 'MONTH'],
    [{ from: '1990-01-01', to: '2026-01-01' }, ''],
  ])('that fit %j are %s', (period, widths) => {
    const names = fittingGranularities(period, now).map((width) => width.replace('GRANULARITY_', ''))
    expect(names.join(' ')).toBe(widths)
  })

  test.each<[period: InsightPeriod, trends: string, retention: string]>([
    ['today', 'HOUR', 'DAY'],
    [last(30), 'DAY', 'WEEK'],
    [last(92), 'DAY', 'WEEK'],
    [last(93), 'WEEK', 'WEEK'],
    [last(366), 'WEEK', 'MONTH'],
    [last(367), 'MONTH', 'MONTH'],
  ])('that suit %j are %s, and %s for retention', (period, trends, retention) => {
    const usual = (type: 'INSIGHT_TYPE_TRENDS' | 'INSIGHT_TYPE_RETENTION') =>
      usualGranularity({ period, type }, now).replace('GRANULARITY_', '')
    expect([usual('INSIGHT_TYPE_TRENDS'), usual('INSIGHT_TYPE_RETENTION')]).toEqual([trends, retention])
  })

  test('stay while they fit', () => {
    const query = { period: last(30), type: 'INSIGHT_TYPE_TRENDS' } as const
    expect(chooseGranularity('GRANULARITY_WEEK', query, now)).toBe('GRANULARITY_WEEK')
    expect(chooseGranularity('GRANULARITY_MINUTE', query, now)).toBe('GRANULARITY_DAY')
    // One bucket is no choice that is offered, and a choice that an address may have.
    expect(chooseGranularity('GRANULARITY_DAY', { ...query, period: 'today' }, now)).toBe('GRANULARITY_DAY')
    const lifecycle = { type: 'INSIGHT_TYPE_LIFECYCLE', period: 'today' } as const
    expect(chooseGranularity('GRANULARITY_HOUR', lifecycle, now)).toBe('GRANULARITY_DAY')
    expect(fittingGranularities(query.period, now, lifecycle.type)).not.toContain('GRANULARITY_HOUR')
    expect(chooseGranularity(undefined, query, now)).toBe('GRANULARITY_DAY')
  })
})
