import { expect, test } from 'vitest'
import { type AnyPart, type Draft, NO_BREAKDOWN, NO_FILTERS, newEvent, newSeries } from './draft.ts'
import { findMissing } from './missing.ts'
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

test.each(TABS)('a new query of %s can be asked', (tab) => {
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
])('a query is told %s', (missing, part) => {
  expect(findMissing(draftOf(part))).toBe(missing)
})

test('sessions by the first value of one property can be asked', () => {
  const breakdown = { properties: [path], limit: 0 }
  expect(findMissing(draftOf({ type: 'INSIGHT_TYPE_TRENDS', subject: entries, breakdown }))).toBeUndefined()
})
