import { describe, expect, test } from 'vitest'
import type { Entry } from '../../picker/entries.ts'
import { switchTab, TABS } from '../types/tabs.ts'
import { type Draft, NO_BREAKDOWN, NO_FILTERS, newDraft, newEvent, newSeries } from './draft.ts'
import { type Emptiness, explainEmptiness, withoutFilters } from './emptiness.ts'
import { type FunnelOptionsDraft, NO_FUNNEL_OPTIONS } from './funnel-options.ts'

const range = { fromMs: 1000, toMs: 2000 }
const event = (name: string, lastSeenMs: number): Entry => ({
  kind: 'event',
  id: name,
  label: name,
  event: name,
  filters: [],
  lastSeenMs,
})
const property = (name: string, valueType: 'text' | 'number'): Entry => ({
  kind: 'property',
  id: name,
  label: name,
  property: name,
  source: 'PROPERTY_SOURCE_CUSTOM',
  valueType,
})
const entries = [
  event('page_view', 1500),
  event('purchase', 900),
  property('plan', 'text'),
  property('price', 'number'),
]
const filterBy = (name: string) =>
  ({
    property: name,
    operator: 'FILTER_OPERATOR_EQUALS',
    values: ['a'],
    source: 'PROPERTY_SOURCE_CUSTOM',
  }) as const
const draftOf = (series: ReturnType<typeof newSeries>): Draft => ({
  ...newDraft(),
  subject: { of: 'events', series: [series] },
})
const sumOf = (name: string) =>
  ({ ...newSeries('page_view'), measure: { aggregation: 'AGGREGATION_TYPE_SUM', property: name } }) as const

const funnelOf = (options: Partial<FunnelOptionsDraft>): Draft => ({
  type: 'INSIGHT_TYPE_FUNNEL',
  steps: [newEvent('page_view'), newEvent('page_view')],
  breakdown: NO_BREAKDOWN,
  windowSeconds: 0,
  timing: 'shown',
  options: { ...NO_FUNNEL_OPTIONS, ...options },
  ...NO_FILTERS,
})

describe('a query yields nothing', () => {
  test.each<[emptiness: Emptiness, draft: Draft]>([
    [{ reason: 'unknown event', event: 'purx' }, draftOf(newSeries('purx'))],
    [{ reason: 'earlier', event: 'purchase', lastMs: 900 }, draftOf(newSeries('purchase'))],
    [{ reason: 'period' }, draftOf(newSeries('page_view'))],
    [{ reason: 'period' }, draftOf(newSeries())],
    [{ reason: 'bots' }, { ...draftOf(newSeries()), excludeBots: true }],
    [{ reason: 'filters' }, draftOf({ ...newSeries('page_view'), filters: [filterBy('plan')] })],
    [
      { reason: 'unknown property', property: { property: 'plam', source: 'PROPERTY_SOURCE_CUSTOM' } },
      draftOf({ ...newSeries('page_view'), filters: [filterBy('plam')] }),
    ],
    [{ reason: 'period' }, funnelOf({ exclusions: [{ ...newEvent('purx'), after: 1, before: 2 }] })],
    [
      { reason: 'unknown property', property: { property: 'plam', source: 'PROPERTY_SOURCE_CUSTOM' } },
      funnelOf({ holdConstant: ['plam'] }),
    ],
    [
      { reason: 'no number', property: { property: 'plan', source: 'PROPERTY_SOURCE_CUSTOM' } },
      draftOf(sumOf('plan')),
    ],
    [{ reason: 'period' }, draftOf(sumOf('price'))],
    [
      { reason: 'period' },
      draftOf({
        ...newSeries('page_view'),
        measure: { aggregation: 'AGGREGATION_TYPE_DISTINCT_VALUES', property: 'plan' },
      }),
    ],
  ])('because of %j', (emptiness, draft) => {
    expect(explainEmptiness(draft, { entries, range })).toEqual(emptiness)
  })

  test('for no known reason while names are not known', () => {
    expect(explainEmptiness(draftOf(newSeries('purx')), { entries: [], range })).toEqual({ reason: 'period' })
  })
})

test.each(TABS)('the filters of %s can be removed', (tab) => {
  const series = { ...newSeries('page_view'), filters: [filterBy('plan')] }
  const groups = [{ operator: 'LOGICAL_OPERATOR_AND', filters: [filterBy('price')] }] as const
  const draft = switchTab({ ...draftOf(series), groups }, tab)
  expect(JSON.stringify(draft)).toContain('FILTER_OPERATOR')
  expect(JSON.stringify(withoutFilters(draft))).not.toContain('FILTER_OPERATOR')
})
