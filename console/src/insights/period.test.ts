import { describe, expect, test } from 'vitest'
import {
  defaultGranularity,
  findPeriodProblem,
  insightRange,
  isTooNarrow,
  type Period,
  parsePeriod,
  previousInsightRange,
  rangeOfPeriod,
  writePeriod,
} from './period.ts'

const timeZone = 'Europe/Berlin'
const nowMs = Date.parse('2026-11-22T15:04:05Z')
const isoOf = ({ fromMs, toMs }: { readonly fromMs: number; readonly toMs: number }): readonly string[] =>
  [fromMs, toMs].map((ms) => new Date(ms).toISOString().replace('.000', ''))

describe('a period in an address', () => {
  test.each<Period>(['LAST_7_DAYS', { from: '2026-01-01', to: '2026-01-31' }])(
    '%j is read as written',
    (period) => {
      expect(parsePeriod(writePeriod(period))).toEqual(period)
    },
  )

  test.each([
    null,
    '',
    'toString',
    '2026-01-01',
    '2026-01-01..',
    '2026-01-01..2026-01-02..2026-01-03',
    '2026-02-30..2026-03-01',
  ])('is not %j', (text) => {
    expect(parsePeriod(text)).toBeUndefined()
  })
})

describe('the range of a period', () => {
  test('of a dashboard has the length of its preset', () => {
    expect(isoOf(rangeOfPeriod('LAST_7_DAYS', { nowMs, timeZone }))).toEqual([
      '2026-11-15T15:04:10Z',
      '2026-11-22T15:04:10Z',
    ])
  })

  test('of an insight starts with a whole bucket, and so does its previous period', () => {
    const range = insightRange('LAST_7_DAYS', { nowMs, timeZone })
    expect(isoOf(range)).toEqual(['2026-11-15T23:00:00Z', '2026-11-22T15:04:10Z'])
    expect(isoOf(previousInsightRange('LAST_7_DAYS', range, timeZone))).toEqual([
      '2026-11-08T23:00:00Z',
      '2026-11-15T15:04:10Z',
    ])
  })

  test('of days is local, and ends now if the last day is the current one', () => {
    const past = { from: '2026-10-24', to: '2026-10-25' }
    const range = insightRange(past, { nowMs, timeZone })
    // The clocks are set back on the second day.
    expect(isoOf(range)).toEqual(['2026-10-23T22:00:00Z', '2026-10-25T23:00:00Z'])
    expect(isoOf(previousInsightRange(past, range, timeZone))).toEqual([
      '2026-10-21T21:00:00Z',
      '2026-10-23T22:00:00Z',
    ])
    const current = { from: '2026-11-22', to: '2026-11-22' }
    expect(isoOf(rangeOfPeriod(current, { nowMs, timeZone }))[1]).toBe('2026-11-22T15:04:10Z')
    const future = { from: '2026-11-24', to: '2026-11-24' }
    expect(isoOf(rangeOfPeriod(future, { nowMs, timeZone }))[1]).toBe('2026-11-24T23:00:00Z')
  })
})

test.each([
  ['2026-01-01', '2026-01-03', 'GRANULARITY_HOUR'],
  ['2026-01-01', '2026-01-04', 'GRANULARITY_DAY'],
  ['2026-01-01', '2026-03-03', 'GRANULARITY_DAY'],
  ['2026-01-01', '2026-03-04', 'GRANULARITY_WEEK'],
  ['2024-01-01', '2024-12-31', 'GRANULARITY_WEEK'],
  ['2024-01-01', '2025-01-01', 'GRANULARITY_MONTH'],
])('the default granularity from %s to %s is %s', (from, to, granularity) => {
  expect(defaultGranularity({ from, to })).toBe(granularity)
})

describe('the problem of a period', () => {
  const granularity = 'GRANULARITY_DAY'
  test.each<[problem: string | undefined, period: Period]>([
    [undefined, 'LAST_365_DAYS'],
    [undefined, { from: '2025-01-01', to: '2025-12-31' }],
    ['Choose at most 365 days for this granularity.', { from: '2025-01-01', to: '2026-01-01' }],
    ['The first day must be before the last.', { from: '2026-01-02', to: '2026-01-01' }],
    ['Choose two days.', { from: '', to: '2026-01-01' }],
  ])('is %s', (problem, period) => {
    expect(findPeriodProblem(period, { granularity, timeZone: 'UTC' })).toBe(problem)
  })

  test('is a narrow granularity only if a wider one is allowed', () => {
    const tooLong = { from: '1990-01-01', to: '2026-01-01' }
    const year = { from: '2025-01-01', to: '2026-01-01' }
    expect(isTooNarrow('GRANULARITY_DAY', { period: year, timeZone })).toBe(true)
    expect(isTooNarrow('GRANULARITY_WEEK', { period: year, timeZone })).toBe(false)
    expect(isTooNarrow('GRANULARITY_DAY', { period: tooLong, timeZone })).toBe(false)
  })
})
