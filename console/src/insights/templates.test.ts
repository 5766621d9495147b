import { describe, expect, test } from 'vitest'
import type { Entry } from '../picker/entries.ts'
import { newInsight, templatesFor } from './templates.ts'
import { findMissing } from './types/insight-types.ts'
import { TABS, tabOf } from './types/tabs.ts'

const event = (name: string, count: number): Entry => ({
  kind: 'event',
  id: name,
  label: name,
  event: name,
  filters: [],
  count,
})
const price: Entry = {
  kind: 'property',
  id: 'price',
  label: 'price',
  property: 'price',
  source: 'PROPERTY_SOURCE_CUSTOM',
  valueType: 'number',
}
const channel: Entry = {
  ...price,
  kind: 'page',
  property: '$channel',
  source: 'PROPERTY_SOURCE_AUTO',
  valueType: 'text',
}
const shop = [event('purchase', 5), event('page_view', 900), event('signup', 30), price, channel]

describe('templates', () => {
  test('are made from the events of the project', () => {
    const [conversion, retention, revenue, ...others] = templatesFor(shop)
    expect(conversion?.draft).toMatchObject({
      steps: [{ kind: 'page_view' }, { kind: 'signup' }, { kind: 'purchase' }],
    })
    expect(retention?.draft).toMatchObject({ first: { kind: 'signup' }, back: { kind: 'page_view' } })
    expect(revenue?.draft).toMatchObject({
      subject: { series: [{ kind: 'purchase', measure: { property: 'price' } }] },
      breakdown: { properties: [{ property: '$channel' }] },
    })
    expect(others).toEqual([])
  })

  test('without their events are left out', () => {
    const names = (entries: readonly Entry[]) => templatesFor(entries).map(({ tab }) => tab)
    expect(names([])).toEqual([])
    expect(names([event('ping', 3)])).toEqual(['retention'])
    expect(names(shop.filter((entry) => entry !== price))).toEqual(['funnel', 'retention'])
    expect(names([...shop.filter((entry) => entry !== price), { ...price, valueType: 'text' }])).toEqual([
      'funnel',
      'retention',
    ])
  })
})

describe('a new insight', () => {
  test.each(TABS)('of %s can be asked at once', (tab) => {
    const draft = newInsight(shop, { tab, excludeBots: true })
    expect(tabOf(draft)).toBe(tab)
    expect(draft.excludeBots).toBe(true)
    expect(findMissing(draft)).toBeUndefined()
  })

  test('begins with the most frequent events', () => {
    expect(newInsight([], { tab: 'trends', excludeBots: false })).toMatchObject({
      subject: { series: [{ kind: '' }] },
    })
    expect(newInsight(shop, { tab: 'trends', excludeBots: false })).toMatchObject({
      subject: { series: [{ kind: 'page_view' }] },
    })
    expect(newInsight(shop, { tab: 'funnel', excludeBots: false })).toMatchObject({
      steps: [{ kind: 'page_view' }, { kind: 'signup' }],
    })
  })
})
