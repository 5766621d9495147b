import type { RangeMs } from '@domain/time-ranges.ts'
import type { Entry, PropertyEntry } from '../../picker/entries.ts'
import { isSameProperty, type PropertyRef } from '../../picker/filter-draft.ts'
import { type Draft, type EventDraft, propertyOf, type SeriesDraft } from './draft.ts'
import { decodeSource } from './filters.ts'
import type { Result } from './insight-type.ts'

/** The reason why an answer has nothing in it. */
export type Emptiness =
  | { readonly reason: 'unknown event'; readonly event: string }
  | { readonly reason: 'unknown property'; readonly property: PropertyRef }
  | { readonly reason: 'no number'; readonly property: PropertyRef }
  | { readonly reason: 'earlier'; readonly event: string; readonly lastMs: number }
  | { readonly reason: 'filters' }
  | { readonly reason: 'bots' }
  | { readonly reason: 'period' }

/** Whether an answer has nothing to show. */
export function isNothing(result: Result): boolean {
  switch (result.case) {
    case 'trends':
      return result.value.series.every(({ points }) => points.every(({ value }) => value === 0))
    case 'segmentation':
      return result.value.total === 0
    case 'funnel':
      return result.value.series.every(({ steps }) => (steps[0]?.total ?? 0) === 0)
    case 'retention':
      return result.value.series.every(({ cohorts }) => cohorts.every(({ cohortSize }) => cohortSize === 0))
    case 'userFlow':
      return result.value.nodes.length === 0
    case 'topK':
      return result.value.rows.every(({ value }) => value === 0)
    case undefined:
      return true
  }
}

/** The nearest reason why a query yields nothing, by what is known of the names of the project. */
export function explainEmptiness(
  draft: Draft,
  { entries, range }: { readonly entries: readonly Entry[]; readonly range: RangeMs },
): Emptiness {
  const isFiltered = filtersOf(draft).length > 0
  const fallback: Emptiness = { reason: isFiltered ? 'filters' : draft.excludeBots ? 'bots' : 'period' }
  // Without the catalogue nothing is known of names.
  if (entries.length === 0) return fallback
  return explainByProperties(draft, entries) ?? explainByEvents(draft, { entries, range }) ?? fallback
}

function explainByEvents(
  draft: Draft,
  { entries, range }: { readonly entries: readonly Entry[]; readonly range: RangeMs },
): Emptiness | undefined {
  const names = eventsOf(draft).flatMap(({ kind }) => (kind === '' ? [] : [kind]))
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
  const numbers = seriesOf(draft).flatMap(({ measure }) => {
    const property = propertyOf(measure)
    return property === undefined ? [] : [{ property, source: decodeSource(undefined, property) }]
  })
  const unknown = [...numbers, ...filtersOf(draft), ...breakdownOf(draft)].find((property) => !find(property))
  if (unknown) return { reason: 'unknown property', property: refOf(unknown) }
  const text = numbers.find((property) => find(property)?.valueType !== 'number')
  return text && { reason: 'no number', property: text }
}

function refOf({ property, source }: PropertyRef): PropertyRef {
  return { property, source }
}

function breakdownOf(draft: Draft): readonly PropertyRef[] {
  return 'breakdown' in draft ? draft.breakdown.properties : []
}

function filtersOf(draft: Draft): readonly PropertyRef[] {
  return [...draft.groups, ...eventsOf(draft)].flatMap(({ filters }) => filters)
}

function seriesOf(draft: Draft): readonly SeriesDraft[] {
  if ('series' in draft) return [draft.series]
  return 'subject' in draft && draft.subject.of === 'events' ? draft.subject.series : []
}

/** The events that a draft names, wherever it names them. */
function eventsOf(draft: Draft): readonly EventDraft[] {
  switch (draft.type) {
    case 'INSIGHT_TYPE_TRENDS':
    case 'INSIGHT_TYPE_SEGMENTATION':
      return draft.subject.of === 'events' ? draft.subject.series : [draft.subject.scope]
    case 'INSIGHT_TYPE_FUNNEL':
      return draft.steps
    case 'INSIGHT_TYPE_RETENTION':
      return draft.back ? [draft.first, draft.back] : [draft.first]
    case 'INSIGHT_TYPE_USER_FLOW':
      return [draft.scope]
    case 'INSIGHT_TYPE_TOP_K':
    case 'INSIGHT_TYPE_MAP':
      return [draft.series]
  }
}

/** The draft without its filters. */
export function withoutFilters(draft: Draft): Draft {
  const bare = <Event extends EventDraft>(event: Event): Event => ({ ...event, filters: [] })
  const rest = { ...draft, groups: [] }
  switch (rest.type) {
    case 'INSIGHT_TYPE_TRENDS':
    case 'INSIGHT_TYPE_SEGMENTATION': {
      const { subject } = rest
      return subject.of === 'events'
        ? { ...rest, subject: { ...subject, series: subject.series.map(bare) } }
        : { ...rest, subject: { ...subject, scope: bare(subject.scope) } }
    }
    case 'INSIGHT_TYPE_FUNNEL':
      return { ...rest, steps: rest.steps.map(bare) }
    case 'INSIGHT_TYPE_RETENTION':
      return { ...rest, first: bare(rest.first), back: rest.back && bare(rest.back) }
    case 'INSIGHT_TYPE_USER_FLOW':
      return { ...rest, scope: bare(rest.scope) }
    case 'INSIGHT_TYPE_TOP_K':
    case 'INSIGHT_TYPE_MAP':
      return { ...rest, series: bare(rest.series) }
  }
}
