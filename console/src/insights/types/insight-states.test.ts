import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { QueryResponseSchema } from '@contract/shared/insights/v1/insights_service_pb.js'
import { expect, test } from 'vitest'
import { type AnyPart, type Draft, NO_BREAKDOWN, NO_FILTERS, newEvent, newSeries } from '../model/draft.ts'
import { NO_RETENTION_OPTIONS, type RetentionOptionsDraft } from '../model/retention-options.ts'
import { findMissing, isNothing } from './insight-types.ts'
import { switchTab, TABS } from './tabs.ts'

const draftOf = (part: AnyPart): Draft => ({ ...part, ...NO_FILTERS }) as Draft
const sum = (property: string) =>
  ({ ...newSeries('purchase'), measure: { aggregation: 'AGGREGATION_TYPE_SUM', property } }) as const
const entries = { of: 'sessions', metric: 'SESSION_METRIC_ENTRY', scope: newEvent() } as const
const path = { property: '$pathname', source: 'PROPERTY_SOURCE_AUTO' } as const
const trend = draftOf({
  type: 'INSIGHT_TYPE_TRENDS',
  subject: { of: 'events', series: [sum('price')] },
  breakdown: NO_BREAKDOWN,
})

test.each(TABS)('a new query of %s is complete', (tab) => {
  expect(findMissing(switchTab(trend, tab))).toBeUndefined()
})

test.each<[missing: string, part: AnyPart]>([
  ['insights.missingProperty', { type: 'INSIGHT_TYPE_MAP', series: sum('') }],
  [
    'insights.missingProperty',
    { type: 'INSIGHT_TYPE_SEGMENTATION', subject: { of: 'events', series: [newSeries(), sum('')] } },
  ],
  [
    'insights.missingRanked',
    {
      type: 'INSIGHT_TYPE_TOP_K',
      series: newSeries(),
      ranked: { of: 'property', property: '' },
      limit: 0,
      others: 'shown',
    },
  ],
  [
    'insights.missingNodes',
    {
      type: 'INSIGHT_TYPE_USER_FLOW',
      scope: newEvent(),
      nodes: { of: 'property', property: '' },
      maxHops: 0,
      maxNodes: 0,
      maxLinks: 0,
      startAt: undefined,
      endAt: undefined,
      rules: [],
    },
  ],
  [
    'insights.missingSessionValue',
    { type: 'INSIGHT_TYPE_TRENDS', subject: entries, breakdown: NO_BREAKDOWN },
  ],
  [
    'insights.missingSessionValue',
    {
      type: 'INSIGHT_TYPE_TRENDS',
      subject: entries,
      breakdown: { properties: [path, { ...path, property: '$browser' }], limit: 0 },
    },
  ],
])('a query lacks %s', (missing, part) => {
  expect(findMissing(draftOf(part))).toBe(missing)
})

test('retention needs the property of its measure, and elapsed periods a width that they have', () => {
  const part = (options: Partial<RetentionOptionsDraft>): AnyPart => ({
    type: 'INSIGHT_TYPE_RETENTION',
    first: newEvent(),
    back: undefined,
    breakdown: NO_BREAKDOWN,
    options: { ...NO_RETENTION_OPTIONS, ...options },
  })
  const summed = part({ value: 'VALUE_PROPERTY_SUM' })
  expect(findMissing(draftOf(summed), 'GRANULARITY_DAY')).toBe('insights.missingProperty')
  const elapsed = part({ periods: 'PERIODS_ELAPSED' })
  const widths = ['MINUTE', 'HOUR', 'DAY', 'WEEK', 'MONTH'] as const
  expect(
    widths.filter((width) => findMissing(draftOf(elapsed), `GRANULARITY_${width}`) === undefined),
  ).toEqual(['HOUR', 'DAY', 'WEEK'])
})

test('sessions by the first value of one property are complete', () => {
  const breakdown = { properties: [path], limit: 0 }
  expect(findMissing(draftOf({ type: 'INSIGHT_TYPE_TRENDS', subject: entries, breakdown }))).toBeUndefined()
})

type ResultInit = NonNullable<MessageInitShape<typeof QueryResponseSchema>['result']>

test.each<[isEmpty: boolean, result: ResultInit]>([
  [true, { case: undefined }],
  [true, { case: 'trends', value: { series: [{ points: [{ value: 0 }] }] } }],
  [false, { case: 'trends', value: { series: [{ points: [{ value: 0 }, { value: -1 }] }] } }],
  [true, { case: 'segmentation', value: { total: 0 } }],
  [true, { case: 'funnel', value: { series: [{ steps: [{ total: 0 }] }] } }],
  [false, { case: 'funnel', value: { series: [{ steps: [{ total: 2 }, { total: 0 }] }] } }],
  [true, { case: 'retention', value: { series: [{ cohorts: [{ cohortSize: 0 }] }] } }],
  [true, { case: 'userFlow', value: {} }],
  [true, { case: 'topK', value: { rows: [] } }],
  [false, { case: 'topK', value: { rows: [{ value: 1 }] } }],
])('is nothing: %s, for %j', (isEmpty, result) => {
  expect(isNothing(create(QueryResponseSchema, { result }).result)).toBe(isEmpty)
})
