import { expect, test } from 'vitest'
import { newDraft } from '../../insights/model/draft.ts'
import { encodeDraft } from '../../insights/spec.ts'
import { switchTab } from '../../insights/types/tabs.ts'
import { listInsights, matchInsights } from './listed-insights.ts'

const addressOf = (tab: 'trends' | 'funnel', more: Readonly<Record<string, string>> = {}) => {
  const spec = JSON.stringify(encodeDraft(switchTab(newDraft('page_view'), tab)))
  return new URLSearchParams({ spec, ...more }).toString()
}
const recent = [
  { address: addressOf('trends'), changedMs: 2 },
  { address: addressOf('funnel', { name: 'Checkout' }), changedMs: 1 },
  { address: 'spec=%7Bbroken', changedMs: 0 },
]

test('insights are listed by their name, or by their query; invalid ones are left out', () => {
  expect(listInsights(recent).map(({ title, tab }) => [title, tab])).toEqual([
    ['Trends: page_view', 'trends'],
    ['Checkout', 'funnel'],
  ])
})

test('insights are found by a part of their title, and by their type', () => {
  const found = (search: string, tab: 'all' | 'trends' | 'paths') =>
    matchInsights(listInsights(recent), { search, tab }).map(({ title }) => title)
  expect(found(' CHECK', 'all')).toEqual(['Checkout'])
  expect(found('', 'trends')).toEqual(['Trends: page_view'])
  expect(found('', 'paths')).toEqual([])
})
