import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import type { EventFilter } from '../../src/contract/gen/common/v1/filter_pb.js'
import { AggregationType, type EventQuery } from '../../src/contract/gen/shared/insights/v1/event_query_pb.js'
import type {
  DataPointSchema,
  TrendSeriesSchema,
  TrendsResultSchema,
} from '../../src/contract/gen/shared/insights/v1/query_result_pb.js'
import { bucketIndex } from './buckets.ts'
import { matchesEventFilter } from './filters.ts'
import { countedEvents, type Metric, measureEvents } from './metrics.ts'
import type { ReferenceEvent } from './model.ts'
import { bucketsOf, eventsInQuery, type Query, subjectOf } from './query.ts'
import { breakDown } from './ranking.ts'

/** One entry of `events`: which events, and how they are counted. */
export interface Entry {
  readonly event: EventFilter | undefined
  readonly metric: Metric
}

/** Answers a trends query about events. */
export function answerTrends(query: Query): MessageInitShape<typeof TrendsResultSchema> {
  const bucketStarts = bucketsOf(query)
  return {
    series: listEntries(query).flatMap((entry) => answerEntry(query, { ...entry, bucketStarts })),
  }
}

/** The entries of a query; without any, all events are counted. */
export function listEntries({ spec }: Query): readonly Entry[] {
  const { includeCookieless } = spec
  if (spec.events.length === 0) {
    return [
      { event: undefined, metric: { aggregation: AggregationType.TOTAL, property: '', includeCookieless } },
    ]
  }
  return spec.events.map(({ event, aggregation, aggregationProperty }: EventQuery) => ({
    event,
    metric: { aggregation, property: aggregationProperty, includeCookieless },
  }))
}

/** One point per bucket; what lies in a bucket is measured by itself. */
export function pointsOf<Item>(
  items: readonly Item[],
  rule: {
    readonly bucketStarts: readonly number[]
    readonly instantOf: (item: Item) => number
    readonly measure: (items: readonly Item[]) => number
  },
): readonly MessageInitShape<typeof DataPointSchema>[] {
  const byBucket = Map.groupBy(items, (item) => bucketIndex(rule.bucketStarts, rule.instantOf(item)))
  return rule.bucketStarts.map((start, index) => ({
    time: timestampFromMs(start),
    value: rule.measure(byBucket.get(index) ?? []),
  }))
}

function answerEntry(
  query: Query,
  { event: filter, metric, bucketStarts }: Entry & { readonly bucketStarts: readonly number[] },
): readonly MessageInitShape<typeof TrendSeriesSchema>[] {
  const { spec, world } = query
  const matching = eventsInQuery(query).filter((event) => matchesEventFilter(subjectOf(query, event), filter))
  const measure = (events: readonly ReferenceEvent[]): number =>
    measureEvents(events, { metric, people: world.people })
  return breakDown(countedEvents(matching, metric), spec, { eventOf: (event) => event, measure }).map(
    ({ breakdown, items }) => ({
      eventKind: filter?.kind ?? '',
      breakdown,
      points: [...pointsOf(items, { bucketStarts, instantOf: ({ occurMs }) => occurMs, measure })],
    }),
  )
}
