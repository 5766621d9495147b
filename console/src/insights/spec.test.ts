import { create } from '@bufbuild/protobuf'
import {
  InsightQuerySpecSchema,
  InsightType as TypeNumber,
} from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import { describe, expect, test } from 'vitest'
import {
  type AnyPart,
  type Draft,
  NO_BREAKDOWN,
  NO_FILTERS,
  newDraft,
  newEvent,
  newSeries,
  type SeriesDraft,
  TOTAL,
} from './model/draft.ts'
import { NO_FUNNEL_OPTIONS } from './model/funnel-options.ts'
import { encodeDraft, parseSpec, titleOf } from './spec.ts'
import { typeOfSpec } from './types/insight-types.ts'

const purchases: SeriesDraft = {
  ...newSeries('purchase'),
  measure: { aggregation: 'AGGREGATION_TYPE_SUM', property: 'price' },
}
const breakdown = {
  properties: [
    { property: '$browser', source: 'PROPERTY_SOURCE_AUTO' },
    { property: 'plan', source: 'PROPERTY_SOURCE_CUSTOM' },
  ],
  limit: 5,
} as const

describe('a draft', () => {
  test('has no limit without breakdowns', () => {
    const draft: Draft = { ...newDraft(), breakdown: { properties: [], limit: 3 } }
    expect(Object.keys(encodeDraft(draft))).toEqual(['insightType', 'events'])
  })

  test('names the source of a breakdown by people only', () => {
    const traits = { property: 'plan', source: 'PROPERTY_SOURCE_PROFILE' } as const
    const draft: Draft = {
      ...newDraft(),
      breakdown: { properties: [...breakdown.properties, traits], limit: 0 },
    }
    expect(encodeDraft(draft).breakdowns).toEqual([
      { property: '$browser' },
      { property: 'plan' },
      { property: 'plan', source: 'PROPERTY_SOURCE_PROFILE' },
    ])
  })
})

describe('a spec', () => {
  test('without a type is trends', () => {
    expect(parseSpec('{}').insightType).toBe(TypeNumber.TRENDS)
    expect(typeOfSpec(create(InsightQuerySpecSchema))).toBe('INSIGHT_TYPE_TRENDS')
  })

  test.each(['', 'null', '[]', '{"events": 5}'])('is not %j', (text) => {
    expect(() => parseSpec(text)).toThrow()
  })
})

const subjectOf = (...series: readonly SeriesDraft[]) => ({ of: 'events', series }) as const

test.each<[title: string, part: AnyPart]>([
  [
    'Trends: all events',
    { type: 'INSIGHT_TYPE_TRENDS', subject: subjectOf(newSeries()), breakdown: NO_BREAKDOWN },
  ],
  [
    'Trends: purchase, all events by Browser, plan',
    { type: 'INSIGHT_TYPE_TRENDS', subject: subjectOf(purchases, newSeries()), breakdown },
  ],
  [
    'Trends: Bounce rate',
    {
      type: 'INSIGHT_TYPE_TRENDS',
      subject: { of: 'sessions', metric: 'SESSION_METRIC_BOUNCE_RATE', scope: newEvent() },
      breakdown: NO_BREAKDOWN,
    },
  ],
  [
    'Funnel: page_view, purchase',
    {
      type: 'INSIGHT_TYPE_FUNNEL',
      steps: [newEvent('page_view'), newEvent('purchase')],
      breakdown: NO_BREAKDOWN,
      windowSeconds: 0,
      timing: 'shown',
      options: NO_FUNNEL_OPTIONS,
    },
  ],
  ['Single number: purchase', { type: 'INSIGHT_TYPE_SEGMENTATION', subject: subjectOf(purchases) }],
  [
    'Top values: plan of purchase',
    {
      type: 'INSIGHT_TYPE_TOP_K',
      series: { ...newEvent('purchase'), measure: TOTAL },
      ranked: { of: 'property', property: 'plan' },
      limit: 0,
      others: 'shown',
    },
  ],
  [
    'Top values: Browser of all events',
    {
      type: 'INSIGHT_TYPE_TOP_K',
      series: newSeries(),
      ranked: { of: 'property', property: '$browser' },
      limit: 0,
      others: 'shown',
    },
  ],
  [
    'Paths: Path',
    {
      type: 'INSIGHT_TYPE_USER_FLOW',
      scope: newEvent(),
      nodes: { of: 'property', property: '$pathname' },
      maxHops: 0,
      maxNodes: 0,
      maxLinks: 0,
      startAt: undefined,
      endAt: undefined,
      rules: [],
    },
  ],
  ['Countries: purchase', { type: 'INSIGHT_TYPE_MAP', series: purchases }],
])('the title of a query is %s', (title, part) => {
  expect(titleOf({ ...part, ...NO_FILTERS } as Draft)).toBe(title)
})
