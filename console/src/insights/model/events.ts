import type { Draft, EventDraft, SeriesDraft } from './draft.ts'

/**
 * The draft with each of its events changed. An event is any part with a kind and filters, so that a type of insight names
 * its events nowhere else.
 */
export function mapEvents(draft: Draft, change: (event: EventDraft) => EventDraft): Draft {
  return mapIn(draft, change) as Draft
}

function mapIn(value: unknown, change: (event: EventDraft) => EventDraft): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => mapIn(item, change))
  if (typeof value !== 'object' || value === null) return value
  if (isEvent(value)) return change(value)
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, mapIn(part, change)]))
}

function isEvent(value: object): value is EventDraft {
  return 'kind' in value && 'filters' in value
}

/** The events that a draft names, in their order; those that it counts are series. */
export function eventsOf(draft: Draft): readonly (EventDraft | SeriesDraft)[] {
  const found: EventDraft[] = []
  mapEvents(draft, (event) => {
    found.push(event)
    return event
  })
  return found
}

/** The events whose number an answer is made of: excluded events of a funnel are none of its steps. */
export function countedEvents(draft: Draft): readonly (EventDraft | SeriesDraft)[] {
  return 'steps' in draft ? draft.steps : eventsOf(draft)
}

/** The series of a draft. */
export function seriesOf(draft: Draft): readonly SeriesDraft[] {
  return eventsOf(draft).flatMap((event) => ('measure' in event ? [event] : []))
}
