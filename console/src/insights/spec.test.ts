import { create } from '@bufbuild/protobuf'
import {
  InsightQuerySpecSchema,
  InsightType as TypeNumber,
} from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import { describe, expect, test } from 'vitest'
import { type Draft, newDraft, newSeries, type SeriesDraft } from './model/draft.ts'
import { encodeDraft, parseSpec, titleOf } from './spec.ts'
import { typeOfSpec } from './types/insight-types.ts'

const purchases: SeriesDraft = {
  ...newSeries('purchase'),
  aggregation: 'AGGREGATION_TYPE_SUM',
  property: 'price',
}
const steps = [newSeries('page_view'), newSeries('purchase')]
const breakdowns = { breakdowns: ['$browser', 'plan'], breakdownLimit: 5 }

describe('a draft', () => {
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
