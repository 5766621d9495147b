import { describe, expect, test } from 'vitest'
import { defaultGranularity, type Period, parsePeriod, writePeriod } from './period.ts'

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
