import { describe, expect, test } from 'vitest'
import { type Draft, NO_FILTERS, newDraft, newSeries, type SharedDraft } from '../model/draft.ts'
import { INSIGHT_TYPES } from './insight-types.ts'
import { switchTab, TABS, tabOf } from './tabs.ts'

const filter = {
  property: '$country',
  operator: 'FILTER_OPERATOR_EQUALS',
  values: ['DE'],
  source: 'PROPERTY_SOURCE_AUTO',
} as const
const shared: SharedDraft = {
  ...NO_FILTERS,
  groups: [{ operator: 'LOGICAL_OPERATOR_OR', filters: [filter] }],
  excludeBots: true,
}
const breakdown = { properties: [{ property: 'plan', source: 'PROPERTY_SOURCE_CUSTOM' }], limit: 5 } as const
const signUps = { ...newSeries('signup'), filters: [filter] }
const trend: Draft = {
  type: 'INSIGHT_TYPE_TRENDS',
  subject: { of: 'events', series: [newSeries('page_view'), signUps] },
  breakdown,
  ...shared,
}

describe('switching the tab', () => {
  test.each(TABS)('to %s leads to it, with the filters of the whole query', (tab) => {
    const draft = switchTab(trend, tab)
    expect(tabOf(draft)).toBe(tab)
    expect(draft).toMatchObject(shared)
    expect(() => INSIGHT_TYPES[draft.type].encode(draft)).not.toThrow()
  })

  test('to the same one changes nothing', () => {
    expect(switchTab(trend, 'trends')).toBe(trend)
    const number: Draft = { type: 'INSIGHT_TYPE_SEGMENTATION', subject: trend.subject, ...shared }
    expect(switchTab(number, 'trends')).toBe(number)
  })

  test('keeps events with their filters, and breakdowns', () => {
    expect(switchTab(trend, 'funnel')).toMatchObject({
      steps: [{ kind: 'page_view' }, { kind: 'signup', filters: [filter] }],
      breakdown,
    })
    expect(switchTab(trend, 'retention')).toMatchObject({
      first: { kind: 'page_view' },
      back: { kind: 'signup', filters: [filter] },
      breakdown,
    })
    expect(switchTab(trend, 'top')).toMatchObject({
      ranked: { of: 'property', property: 'plan' },
      series: { kind: 'page_view' },
    })
    expect(switchTab(trend, 'lifecycle')).toMatchObject({ event: { kind: 'page_view' } })
    expect(switchTab(trend, 'stickiness')).toMatchObject({
      events: [{ kind: 'page_view' }, { kind: 'signup', filters: [filter] }],
    })
    expect(switchTab(trend, 'sessions')).toMatchObject({ subject: { of: 'sessions' }, breakdown })
    expect(switchTab(switchTab(trend, 'funnel'), 'trends')).toEqual(trend)
  })

  test('to top values ranks all events where there is no breakdown', () => {
    expect(switchTab(newDraft('page_view'), 'top')).toMatchObject({
      ranked: { of: 'events' },
      series: { kind: '' },
    })
  })
})
