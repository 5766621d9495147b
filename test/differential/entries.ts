import type { EventFilter } from '../../src/contract/gen/common/v1/filter_pb.js'
import type { CohortFilter } from '../../src/contract/gen/millrace/insights/v1/cohort_filter_pb.js'
import { AggregationType, type EventQuery } from '../../src/contract/gen/shared/insights/v1/event_query_pb.js'
import { Granularity } from '../../src/contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { bucketIndex, listBucketStarts } from './buckets.ts'
import { matchesEntry } from './cohorts.ts'
import { countedEvents, type Metric, measureEvents, rollingDays } from './metrics.ts'
import type { ReferenceEvent } from './model.ts'
import { bucketsOf, eventsInQuery, eventsMeeting, eventsWithin, type Query, subjectOf } from './query.ts'
import { type BrokenDown, breakDown, keyOfEvent } from './ranking.ts'

/** One entry of `events`: which events, and how they are counted. */
export interface Entry {
  readonly event: EventFilter | undefined
  readonly cohorts?: readonly CohortFilter[]
  readonly metric: Metric
}

/** The entries of a query; without any, all events are counted. */
export function listEntries({ spec }: Query): readonly Entry[] {
  const { includeCookieless } = spec
  if (spec.events.length === 0) {
    return [
      { event: undefined, metric: { aggregation: AggregationType.TOTAL, property: '', includeCookieless } },
    ]
  }
  return spec.events.map(({ event, cohorts, aggregation, aggregationProperty }: EventQuery) => ({
    event,
    cohorts,
    metric: { aggregation, property: aggregationProperty, includeCookieless },
  }))
}

/** The events that an entry counts, of those of the query. */
export function eventsOfEntry(
  query: Query,
  entry: Entry,
  events: readonly ReferenceEvent[] = eventsInQuery(query),
): readonly ReferenceEvent[] {
  const matching = events.filter((event) => matchesEntry(subjectOf(query, event), entry))
  return countedEvents(matching, entry.metric)
}

/** The counted events of each series of an entry. */
export function breakDownEntry(query: Query, entry: Entry): readonly BrokenDown<ReferenceEvent>[] {
  return breakDown(eventsOfEntry(query, entry), query, {
    eventOf: (event) => event,
    measure: measureOf(query, entry),
  })
}

/** The metric of an entry. */
export function measureOf(query: Query, { metric }: Entry): (events: readonly ReferenceEvent[]) => number {
  return (events) => measureEvents(events, { metric, people: query.world.people })
}

/** The events of a series in the range, and its values. */
export type EntryGroup = Pick<BrokenDown<ReferenceEvent>, 'items' | 'keys'>

/** The events that a series of an entry counts in a bucket: those of the bucket, or of the days that end with it. */
export function eventsOfBuckets(
  query: Query,
  entry: Entry,
): (group: EntryGroup) => (bucket: number) => readonly ReferenceEvent[] {
  const starts = bucketsOf(query)
  const days = rollingDays(entry.metric)
  if (days === undefined) {
    return ({ items }) => {
      const byBucket = Map.groupBy(items, ({ occurMs }) => bucketIndex(starts, occurMs))
      return (bucket) => byBucket.get(bucket) ?? []
    }
  }
  const ofAllTimes = eventsOfEntry(query, entry, eventsMeeting(query.world, query.spec)).map((event) => ({
    event,
    key: keyOfEvent(event, query),
  }))
  const windows = starts.map((_, bucket) => {
    const toMs = starts[bucket + 1] ?? query.range.toMs
    return { fromMs: startOfDays(query, { toMs, days }), toMs }
  })
  return ({ keys }) => {
    const ofGroup = ofAllTimes.filter(({ key }) => keys === undefined || keys.has(key))
    const events = ofGroup.map(({ event }) => event)
    return (bucket) => eventsWithin(events, windows[bucket] ?? { fromMs: 0, toMs: 0 })
  }
}

/** The start of the days of the calendar that end at an instant, or with its day. */
function startOfDays(
  { calendar }: Query,
  { toMs, days }: { readonly toMs: number; readonly days: number },
): number {
  const range = { fromMs: toMs - (days + 7) * 86_400_000, toMs }
  const dayStarts = listBucketStarts(range, { ...calendar, granularity: Granularity.DAY })
  return dayStarts.at(-days) ?? Number.NaN
}
