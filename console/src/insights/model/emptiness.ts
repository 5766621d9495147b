import type { RangeMs } from '@domain/time-ranges.ts'
import type { Entry, PropertyEntry } from '../../picker/entries.ts'
import { isSameProperty, type PropertyRef } from '../../picker/filter-draft.ts'
import { type Draft, isOfAnyValues, propertyOf } from './draft.ts'
import { countedEvents, eventsOf, mapEvents, seriesOf } from './events.ts'
import { decodeSource } from './filters.ts'

/** The reason why an answer has nothing in it. */
export type Emptiness =
  | { readonly reason: 'unknown event'; readonly event: string }
  | { readonly reason: 'unknown property'; readonly property: PropertyRef }
  | { readonly reason: 'no number'; readonly property: PropertyRef }
  | { readonly reason: 'earlier'; readonly event: string; readonly lastMs: number }
  | { readonly reason: 'filters' }
  | { readonly reason: 'bots' }
  | { readonly reason: 'period' }

/** The nearest reason why a query yields nothing, by what is known of the names of the project. */
export function explainEmptiness(
  draft: Draft,
  { entries, range }: { readonly entries: readonly Entry[]; readonly range: RangeMs },
): Emptiness {
  const isFiltered = filtersOf(draft).length > 0 || (draft.cohorts ?? []).length > 0
  const fallback: Emptiness = { reason: isFiltered ? 'filters' : draft.excludeBots ? 'bots' : 'period' }
  // Without the catalogue nothing is known of names.
  if (entries.length === 0) return fallback
  return explainByProperties(draft, entries) ?? explainByEvents(draft, { entries, range }) ?? fallback
}

function explainByEvents(
  draft: Draft,
  { entries, range }: { readonly entries: readonly Entry[]; readonly range: RangeMs },
): Emptiness | undefined {
  const names = countedEvents(draft).flatMap(({ kind }) => (kind === '' ? [] : [kind]))
  for (const event of names) {
    const entry = entries.find((known) => known.kind === 'event' && known.event === event)
    if (!entry) return { reason: 'unknown event', event }
    if (entry.lastSeenMs !== undefined && entry.lastSeenMs < range.fromMs)
      return { reason: 'earlier', event, lastMs: entry.lastSeenMs }
  }
  return undefined
}

function explainByProperties(draft: Draft, entries: readonly Entry[]): Emptiness | undefined {
  const find = (property: PropertyRef): PropertyEntry | undefined =>
    entries.find((entry): entry is PropertyEntry => 'valueType' in entry && isSameProperty(entry, property))
  const measured = seriesOf(draft).flatMap(({ measure }) => {
    const property = propertyOf(measure)
    if (property === undefined) return []
    const needsNumbers = !isOfAnyValues(measure.aggregation)
    return [{ property, source: decodeSource(undefined, property), needsNumbers }]
  })
  const named = [...measured, ...filtersOf(draft), ...breakdownOf(draft), ...heldOf(draft)]
  const unknown = named.find((property) => !find(property))
  if (unknown) return { reason: 'unknown property', property: refOf(unknown) }
  const text = measured.find((one) => one.needsNumbers && find(one)?.valueType !== 'number')
  return text && { reason: 'no number', property: refOf(text) }
}

function refOf({ property, source }: PropertyRef): PropertyRef {
  return { property, source }
}

function breakdownOf(draft: Draft): readonly PropertyRef[] {
  return 'breakdown' in draft ? draft.breakdown.properties : []
}

/** The properties that all steps of a funnel have. */
function heldOf(draft: Draft): readonly PropertyRef[] {
  const names = 'steps' in draft ? draft.options.holdConstant : []
  return names.map((property) => ({ property, source: decodeSource(undefined, property) }))
}

function filtersOf(draft: Draft): readonly PropertyRef[] {
  return [...draft.groups, ...eventsOf(draft)].flatMap(({ filters }) => filters)
}

/** The draft without its filters. */
export function withoutFilters(draft: Draft): Draft {
  const { cohorts: _, ...others } = mapEvents(draft, ({ cohorts: __, ...event }) => ({
    ...event,
    filters: [],
  }))
  return { ...others, groups: [] } as Draft
}
