import { type Timestamp, timestampMs } from '@bufbuild/protobuf/wkt'
import type { TimeRange } from '../../src/contract/gen/common/v1/time_range_pb.js'
import type { CohortFilter } from '../../src/contract/gen/millrace/insights/v1/cohort_filter_pb.js'
import type { InsightQuerySpec } from '../../src/contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import type { QueryRequest } from '../../src/contract/gen/shared/insights/v1/insights_service_pb.js'
import { type Calendar, listBucketStarts } from './buckets.ts'
import { matchesCohorts } from './cohorts.ts'
import { type Conditions, matchesConditions, type Subject } from './filters.ts'
import type { MsRange, ReferenceEvent, ReferenceWorld } from './model.ts'
import { comparedRange } from './web-comparison.ts'

/** A request with the world it is about. */
export interface Query {
  readonly world: ReferenceWorld
  readonly spec: InsightQuerySpec
  readonly range: MsRange
  readonly calendar: Calendar
  /** The range to compare with, which may be empty. */
  readonly compared: MsRange | undefined
}

/** Reads a valid request; a request that lacks a required field is a mistake of the caller. */
export function parseQuery(world: ReferenceWorld, request: QueryRequest): Query {
  const { spec, granularity } = request
  if (spec === undefined) throw new RangeError('a request without a spec')
  const calendar = { granularity, timeZone: request.timezone || world.timeZone || 'UTC' }
  const range = parseRange(request.timeRange)
  return { world, spec, range, calendar, compared: comparedRange(request, range, calendar.timeZone) }
}

/** The same query of the range to compare with. */
export function comparedQuery(query: Query): Query | undefined {
  return query.compared && { ...query, range: query.compared, compared: undefined }
}

/** Reads a range; what is finer than a millisecond is cut. */
export function parseRange(timeRange: TimeRange | undefined): MsRange {
  return { fromMs: parseInstant(timeRange?.from), toMs: parseInstant(timeRange?.to) }
}

/** The world's events that meet the conditions, whenever they happened. */
export function eventsMeeting(
  world: ReferenceWorld,
  conditions: Conditions & { readonly excludeBots: boolean; readonly cohorts: readonly CohortFilter[] },
): readonly ReferenceEvent[] {
  return world.events.filter(
    (event) =>
      matchesConditions({ event, world }, conditions) &&
      matchesCohorts({ event, world }, conditions.cohorts) &&
      !(conditions.excludeBots && isOfBot(event)),
  )
}

/** A mark is the Boolean and nothing that only reads like it. */
function isOfBot({ properties }: ReferenceEvent): boolean {
  const mark = properties.get('$bot')
  return mark?.type === 'bool' && mark.value
}

/** Events from the first instant of a range until before its end. */
export function eventsWithin(
  events: readonly ReferenceEvent[],
  { fromMs, toMs }: MsRange,
): readonly ReferenceEvent[] {
  return events.filter(({ occurMs }) => occurMs >= fromMs && occurMs < toMs)
}

/** The events of a query's range that meet its top-level conditions. */
export function eventsInQuery({ world, spec, range }: Query): readonly ReferenceEvent[] {
  return eventsWithin(eventsMeeting(world, spec), range)
}

/** Buckets of queries that were asked for before: the reference asks for them often, and finds each by its wall clock. */
const known = new WeakMap<Query, readonly number[]>()

/** Ascending starts of the buckets of a query's range. */
export function bucketsOf(query: Query): readonly number[] {
  const starts = known.get(query) ?? listBucketStarts(query.range, query.calendar)
  known.set(query, starts)
  return starts
}

/** Names an event of a query for the filters. */
export function subjectOf({ world }: Query, event: ReferenceEvent): Subject {
  return { event, world }
}

function parseInstant(timestamp: Timestamp | undefined): number {
  if (timestamp === undefined) throw new RangeError('a range without both ends')
  return timestampMs({ ...timestamp, nanos: Math.floor(timestamp.nanos / 1e6) * 1e6 })
}
