import { createSignal } from 'solid-js'
import type { Catalog } from '../picker/catalog.ts'
import {
  type Entry,
  type EventEntry,
  KIND_OF_SOURCE,
  keyOfEntry,
  type PropertyEntry,
} from '../picker/entries.ts'
import { isSameProperty, type Source } from '../picker/filter-draft.ts'
import { describeSource, labelOfProperty } from '../picker/names.ts'
import { addRecent } from '../picker/recent-choices.ts'
import type { ValueType } from '../picker/value-types.ts'

function event(name: string, count: number, description?: string): EventEntry {
  return {
    kind: 'event',
    id: name,
    label: name,
    event: name,
    filters: [],
    count,
    firstSeenMs: Date.UTC(2025, 2, 4, 9),
    lastSeenMs: Date.UTC(2026, 10, 22, 10),
    ...(description !== undefined && { description }),
  }
}

function property(name: string, source: Source, valueType: ValueType = 'text'): PropertyEntry {
  const label = labelOfProperty({ property: name, source })
  const description = describeSource(source)
  return {
    kind: KIND_OF_SOURCE[source],
    id: name,
    label,
    ...(label !== name && { sentName: name }),
    ...(description !== undefined && { description }),
    property: name,
    source,
    valueType,
    count: 4612,
  }
}

/** Unusual names: long ones, markup, other scripts. The picker shows them as sent. */
const HOSTILE: readonly string[] = [
  '<img src=x onerror=alert(1)>',
  'شراء مكتمل',
  '🛒 cart 👩‍👩‍👧‍👦',
  `long_${'name_'.repeat(99)}`,
  '  ',
]

/** More names than a list shows at once. */
const MANY = Array.from({ length: 2000 }, (_, at) => event(`generated_event_${at}`, 2000 - at))

const ENTRIES: readonly Entry[] = [
  event('page_view', 90_312),
  event('signup', 5444),
  event('purchase', 4612, 'A paid order. One event for each order.'),
  event('purchase_refunded', 188, 'An order that was paid back, in full or part'),
  event('gift_purchase', 61),
  ...HOSTILE.map((name) => event(name, 5)),
  ...MANY,
  {
    kind: 'goal',
    id: 'goal-1',
    label: 'Purchase',
    description: 'purchase where price ≥ 1',
    event: 'purchase',
    filters: [],
  },
  property('purchase_channel', 'PROPERTY_SOURCE_CUSTOM'),
  property('price', 'PROPERTY_SOURCE_CUSTOM', 'number'),
  property('is_gift', 'PROPERTY_SOURCE_CUSTOM', 'yes or no'),
  property('paid_at', 'PROPERTY_SOURCE_CUSTOM', 'date'),
  property('plan', 'PROPERTY_SOURCE_PROFILE'),
  property('$country', 'PROPERTY_SOURCE_AUTO'),
  property('$pathname', 'PROPERTY_SOURCE_AUTO'),
  property('$channel', 'PROPERTY_SOURCE_SESSION_ENTRY'),
  property('$channel', 'PROPERTY_SOURCE_FIRST_TOUCH'),
]

const VALUES: Readonly<Record<string, readonly string[]>> = {
  $country: ['DE', 'AT', 'FR', 'CH', 'JP'],
  $pathname: ['/', '/chairs', '/lamps', '/pricing'],
  $channel: ['Organic Search', 'Direct', 'Referral', 'Email'],
  plan: ['Free', 'Team', 'Internal'],
}

/** The catalog of a shop, with many names and some that are hard to show. */
export function createSampleCatalog(): Catalog {
  const [recent, setRecent] = createSignal<readonly string[]>(['event:purchase', 'page:$country'])
  return {
    load: () => {},
    isLoading: () => false,
    hasFailed: () => false,
    entries: () => ENTRIES,
    typeOf: (wanted) => {
      const known = ENTRIES.find((entry) => 'valueType' in entry && isSameProperty(entry, wanted))
      return known && 'valueType' in known ? known.valueType : 'text'
    },
    createValues: (query) => ({
      values: () =>
        (VALUES[query()?.property ?? ''] ?? []).map((value, at) => ({ value, count: 1000 >> at })),
      isLoading: () => false,
    }),
    createFacts: () => ({
      facts: () => ({
        dailyCounts: Array.from({ length: 30 }, (_, at) => 90 + ((at * 37) % 61) + at * 2),
        people: 3262,
        properties: ['price', 'category', 'currency', 'items', 'coupon', `long_${'name_'.repeat(40)}`],
      }),
      hasFailed: () => false,
    }),
    recent,
    timeZone: () => 'Europe/Berlin',
    remember: (entry) => void setRecent((before) => addRecent(before, keyOfEntry(entry))),
    liveHref: () => '#live',
  }
}
