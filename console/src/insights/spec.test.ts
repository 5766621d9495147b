import { create } from '@bufbuild/protobuf'
import {
  InsightQuerySpecSchema,
  InsightType as TypeNumber,
} from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import { describe, expect, test } from 'vitest'
import { type Draft, type InsightType, newDraft, newSeries, type SeriesDraft } from './model/draft.ts'
import { decodeSpec, encodeDraft, parseSpec, titleOf, writeSpec } from './spec.ts'
import { INSIGHT_TYPES, typeOfSpec } from './types/insight-types.ts'

const purchases: SeriesDraft = {
  kind: 'purchase',
  filters: [
    {
      property: '$country',
      operator: 'FILTER_OPERATOR_IN',
      value: 'DE\nFR',
      source: 'PROPERTY_SOURCE_AUTO',
    },
  ],
  aggregation: 'AGGREGATION_TYPE_SUM',
  property: 'price',
}
const steps = [newSeries('page_view'), newSeries('purchase')]
const breakdowns = { breakdowns: ['$browser', 'plan'], breakdownLimit: 5 }

/** Drafts of every type with every field that the type has. */
const DRAFTS: readonly (readonly [InsightType, Partial<Draft>])[] = [
  ['INSIGHT_TYPE_TRENDS', { events: [newSeries(), purchases], ...breakdowns }],
  [
    'INSIGHT_TYPE_TRENDS',
    {
      measure: 'sessions',
      sessionMetric: 'SESSION_METRIC_ENTRY',
      scope: newSeries('page_view'),
      ...breakdowns,
    },
  ],
  ['INSIGHT_TYPE_SEGMENTATION', { events: [purchases] }],
  ['INSIGHT_TYPE_SEGMENTATION', { measure: 'sessions', sessionMetric: 'SESSION_METRIC_BOUNCE_RATE' }],
  [
    'INSIGHT_TYPE_FUNNEL',
    { events: steps, ...breakdowns, conversionWindowSeconds: 3600, includeStepTiming: false },
  ],
  ['INSIGHT_TYPE_RETENTION', { events: steps, ...breakdowns }],
  [
    'INSIGHT_TYPE_USER_FLOW',
    { scope: newSeries('page_view'), flowProperty: '$pathname', maxHops: 2, maxNodes: 7, maxLinks: 0 },
  ],
  [
    'INSIGHT_TYPE_TOP_K',
    {
      scope: purchases,
      dimension: 'DIMENSION_PROPERTY',
      dimensionProperty: 'plan',
      limit: 20,
      omitOthers: true,
    },
  ],
  ['INSIGHT_TYPE_TOP_K', { dimension: 'DIMENSION_USER', limit: 0 }],
  ['INSIGHT_TYPE_MAP', { scope: purchases }],
]

const filtered: Partial<Draft> = {
  groups: [{ operator: 'LOGICAL_OPERATOR_OR', filters: purchases.filters }],
  groupsOperator: 'LOGICAL_OPERATOR_OR',
  includeCookieless: true,
}

describe('a draft', () => {
  test('is tested for every type', () => {
    const tested = new Set(DRAFTS.map(([type]) => type))
    expect([...tested].sort()).toEqual(Object.keys(INSIGHT_TYPES).sort())
  })

  test.each(DRAFTS)('of %s survives its encoding: %j', (type, part) => {
    const draft: Draft = { ...newDraft(), ...part, ...filtered, type }
    const spec = parseSpec(JSON.stringify(encodeDraft(draft)))
    expect(decodeSpec(spec)).toEqual(draft)
    expect(decodeSpec(parseSpec(writeSpec(spec)))).toEqual(draft)
  })

  test.each(DRAFTS)('of %s writes only fields of the type', (type) => {
    const everything = Object.assign({}, ...DRAFTS.map(([, part]) => part))
    const draft: Draft = { ...newDraft(), ...everything, measure: 'events', type }
    const own = {
      INSIGHT_TYPE_TRENDS: ['events', 'breakdowns', 'breakdownLimit'],
      INSIGHT_TYPE_SEGMENTATION: ['events'],
      INSIGHT_TYPE_FUNNEL: ['events', 'breakdowns', 'breakdownLimit', 'conversionWindow'],
      INSIGHT_TYPE_RETENTION: ['events', 'breakdowns', 'breakdownLimit'],
      INSIGHT_TYPE_USER_FLOW: ['userFlow'],
      INSIGHT_TYPE_TOP_K: ['topK'],
      INSIGHT_TYPE_MAP: ['map'],
    }[type]
    expect(Object.keys(encodeDraft(draft))).toEqual(['insightType', ...own])
  })

  test('leaves out breakdowns without a name, and their limit', () => {
    const draft: Draft = { ...newDraft(), breakdowns: ['', ''], breakdownLimit: 3 }
    expect(Object.keys(encodeDraft(draft))).toEqual(['insightType', 'events'])
  })

  test('names the property only of metrics that need one', () => {
    const draft: Draft = {
      ...newDraft(),
      events: [{ ...purchases, aggregation: 'AGGREGATION_TYPE_PER_USER_AVG' }],
    }
    expect(JSON.stringify(encodeDraft(draft))).not.toContain('price')
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

test.each<[title: string, part: Partial<Draft>]>([
  ['Trends: all events', {}],
  ['Trends: purchase, all events by $browser, plan', { events: [purchases, newSeries()], ...breakdowns }],
  ['Trends: Bounce rate', { measure: 'sessions', sessionMetric: 'SESSION_METRIC_BOUNCE_RATE' }],
  ['Funnel: page_view, purchase', { type: 'INSIGHT_TYPE_FUNNEL', events: steps, measure: 'sessions' }],
  ['Single number: purchase', { type: 'INSIGHT_TYPE_SEGMENTATION', events: [purchases], ...breakdowns }],
  ['User flow', { type: 'INSIGHT_TYPE_USER_FLOW', ...breakdowns }],
  ['Countries', { type: 'INSIGHT_TYPE_MAP' }],
])('the title of a query is %s', (title, part) => {
  expect(titleOf({ ...newDraft(), ...part })).toBe(title)
})
