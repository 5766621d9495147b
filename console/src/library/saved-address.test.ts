import { clone, create, type MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { TimeRangePreset } from '@contract/common/v1/time_range_pb.js'
import { CalendarUnit } from '@contract/millrace/insights/v1/comparison_pb.js'
import { InsightContentSchema } from '@contract/millrace/library/v1/saved_insight_pb.js'
import { Granularity, InsightType } from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import { expect, test } from 'vitest'
import type { Compare, InsightPeriod } from '../insights/insight-period.ts'
import { readQuery } from '../insights/query-address.ts'
import { addressOf, contentOf, isSameContent } from './saved-address.ts'

type Init = Exclude<MessageInitShape<typeof InsightContentSchema>, { $typeName: string }>

const NOW = { nowMs: Date.parse('2026-11-23T12:00:00Z'), timeZone: 'Europe/Berlin' }
const TEXTS = { name: 'Views', description: 'x', tags: ['a'] }
const SPEC = '{"insightType":"INSIGHT_TYPE_TRENDS","events":[{"event":{"kind":"page_view"}}]}'

const query = (period: InsightPeriod, compare: Compare) =>
  ({ spec: SPEC, period, compare, granularity: 'GRANULARITY_DAY', view: 'area', rate: 'first' }) as const
const read = (parameters: Record<string, string>) => readQuery(new URLSearchParams(parameters))
const stored = (content: Init) =>
  create(InsightContentSchema, { name: 'x', spec: { insightType: InsightType.TRENDS }, ...content })

test.each<[InsightPeriod, Compare]>([
  [{ last: 30, unit: 'days' }, 'none'],
  ['this-month', 'previous'],
  ['LAST_6_HOURS', 'week'],
  ['all-time', 'month'],
  [{ from: '2026-10-01', to: '2026-10-31' }, 'year'],
  [{ last: 2, unit: 'weeks' }, { from: '2026-10-05' }],
])('a query of %j compared to %j is saved and opened without loss', (period, compare) => {
  const content = contentOf(query(period, compare), TEXTS, NOW)
  expect(content).toMatchObject(TEXTS)
  const { spec, ...opened } = read(addressOf(content, NOW))
  expect(opened).toEqual({
    period,
    compare,
    granularity: 'GRANULARITY_DAY',
    view: 'area',
    name: 'Views',
    rate: 'first',
  })
  expect(JSON.parse(spec ?? '')).toEqual(JSON.parse(SPEC))
  expect(isSameContent(content, contentOf(query(period, compare), TEXTS, NOW), NOW)).toBe(true)
})

test('a date that is far from the period becomes whole weeks', () => {
  const compare = { from: '2024-01-01' }
  const content = contentOf(query({ from: '2026-10-01', to: '2026-10-31' }, compare), TEXTS, NOW)
  expect(content.compareTo?.with).toMatchObject({ value: { unit: CalendarUnit.WEEK, count: 143 } })
  expect(read(addressOf(content, NOW)).compare).toEqual({ from: '2024-01-04' })
})

test.each<[string, Init['range'], InsightPeriod]>([
  ['none', undefined, { last: 30, unit: 'days' }],
  ['a preset', { case: 'preset', value: TimeRangePreset.LAST_90_DAYS }, { last: 90, unit: 'days' }],
  [
    'an instant to another',
    {
      case: 'timeRange',
      value: {
        from: timestampFromMs(Date.parse('2026-10-01T22:00:00Z')),
        to: timestampFromMs(Date.parse('2026-10-03T22:00:00Z')),
      },
    },
    { from: '2026-10-02', to: '2026-10-03' },
  ],
])('the range %s opens as days of the project', (_, range, period) => {
  expect(read(addressOf(stored(range ? { range } : {}), NOW)).period).toEqual(period)
})

test('a saved insight without a bucket width has no unsaved changes in the width that suits it', () => {
  const edited = contentOf(query({ last: 30, unit: 'days' }, 'none'), TEXTS, NOW)
  const saved = { ...clone(InsightContentSchema, edited), granularity: Granularity.UNSPECIFIED }
  expect(isSameContent(saved, edited, NOW)).toBe(true)
})

test.each([
  ['name', contentOf(query('today', 'none'), { ...TEXTS, name: 'Other' }, NOW)],
  ['period', contentOf(query('yesterday', 'none'), TEXTS, NOW)],
  ['comparison', contentOf(query('today', 'previous'), TEXTS, NOW)],
  ['rate of a funnel', contentOf({ ...query('today', 'none'), rate: 'previous' }, TEXTS, NOW)],
  ['view', contentOf({ ...query('today', 'none'), view: 'line' }, TEXTS, NOW)],
  ['width', contentOf({ ...query('today', 'none'), granularity: 'GRANULARITY_HOUR' }, TEXTS, NOW)],
])('another %s is an unsaved change', (_, edited) => {
  expect(isSameContent(contentOf(query('today', 'none'), TEXTS, NOW), edited, NOW)).toBe(false)
})
