import { describe, expect, test } from 'vitest'
import type { Category, Entry, EventEntry, PropertyEntry } from './entries.ts'
import { countByCategory, findRecent, groupFound, nextCategory, searchEntries } from './search-entries.ts'

function event(label: string, count: number): EventEntry {
  return { kind: 'event', id: label, label, event: label, filters: [], count }
}

function property(kind: PropertyEntry['kind'], label: string, sentName?: string): PropertyEntry {
  const id = sentName ?? label
  const source = 'PROPERTY_SOURCE_AUTO'
  return { kind, id, label, property: id, source, valueType: 'text', ...(sentName && { sentName }) }
}

const ENTRIES: readonly Entry[] = [
  event('page_view', 90),
  event('gift_purchase', 70),
  event('purchase', 50),
  event('Purchase-Refunded', 60),
  property('property', 'purpose'),
  property('page', 'Referrer', '$referrerDomain'),
  property('page', 'Country', '$country'),
]
const KINDS = ['event', 'property', 'page'] as const

const labels = (typed: string): readonly string[] =>
  searchEntries(ENTRIES, typed).map(({ entry }) => entry.label)

describe('a search', () => {
  test('puts names that start with the text first, then orders by count', () => {
    expect(labels('pur')).toEqual(['Purchase-Refunded', 'purchase', 'purpose', 'gift_purchase'])
  })

  test.each(['purchase refunded', 'PURCHASE_REFUNDED', 'purchaserefunded', 'se-re'])(
    '%j ignores case, blanks, _ and -',
    (typed) => {
      expect(labels(typed)).toContain('Purchase-Refunded')
    },
  )

  test('marks the part that matches', () => {
    const [found] = searchEntries(ENTRIES, 'e ref')
    expect(found?.entry.label.slice(found.from, found.to)).toBe('e-Ref')
  })

  test('finds a property by its name as sent, after those that match as shown', () => {
    expect(labels('$referrerDomain')).toEqual(['Referrer'])
    expect(labels('country')).toEqual(['Country'])
  })

  test.each(['<b>', '.*', '\\', '🙂'])('%j is a text like any other', (typed) => {
    expect(searchEntries([...ENTRIES, event(`a${typed}z`, 1)], typed)).toHaveLength(1)
  })
})

describe('the matches', () => {
  test('are counted by category', () => {
    const found = searchEntries(ENTRIES, 'pur')
    const recent = findRecent(found, ['event:gone', 'event:purchase', 'page:$country'])
    expect(recent.map(({ entry }) => entry.label)).toEqual(['purchase'])
    expect(countByCategory(found, recent)).toEqual({
      all: 4,
      recent: 1,
      event: 3,
      goal: 0,
      property: 1,
      person: 0,
      page: 0,
      visitStart: 0,
      firstTouch: 0,
    })
  })

  test('are grouped in the order of the kinds, without empty groups', () => {
    const found = searchEntries(ENTRIES, 'pur')
    const groups = (category: Category): readonly string[] =>
      groupFound({ found, recent: [] }, category, KINDS).map((group) => `${group.kind} ${group.found.length}`)
    expect(groups('all')).toEqual(['event 3', 'property 1'])
    expect(groups('property')).toEqual(['property 1'])
    expect(groups('recent')).toEqual([])
  })

  test('of thousands of names are limited, and the others counted', () => {
    const many = Array.from({ length: 2000 }, (_, at) => event(`event ${at}`, at))
    const found = searchEntries([...many, property('page', 'Event type')], 'event')
    const [beside] = groupFound({ found, recent: [] }, 'all', KINDS)
    expect([beside?.found.length, beside?.hiddenCount]).toEqual([25, 1975])
    const [alone] = groupFound({ found, recent: [] }, 'event', KINDS)
    expect([alone?.found.length, alone?.hiddenCount]).toEqual([200, 1800])
  })
})

test('Tab leads through the categories with matches in a circle', () => {
  const categories: readonly Category[] = ['all', 'recent', 'event', 'property', 'page']
  const counts = {
    all: 4,
    recent: 0,
    event: 3,
    goal: 0,
    property: 1,
    person: 0,
    page: 0,
    visitStart: 0,
    firstTouch: 0,
  }
  const walk = (from: Category, by: 1 | -1): Category => nextCategory(categories, counts, { from, by })
  expect([walk('all', 1), walk('event', 1), walk('property', 1)]).toEqual(['event', 'property', 'all'])
  expect([walk('all', -1), walk('recent', 1)]).toEqual(['property', 'event'])
})
