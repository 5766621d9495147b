import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { RetentionPoint_Outcome } from '../../src/contract/gen/millrace/people/v1/actors_service_pb.js'
import type { QueryResponse } from '../../src/contract/gen/shared/insights/v1/insights_service_pb.js'
import type {
  RetentionCohort,
  RetentionCohortSchema,
  RetentionResultSchema,
} from '../../src/contract/gen/shared/insights/v1/query_result_pb.js'
import { bucketIndex } from './buckets.ts'
import { compareEvents } from './bytewise.ts'
import { matchesEntry } from './cohorts.ts'
import { breakdowns, plainQueries } from './generate-parts.ts'
import type { InsightTypeEntry } from './insight-type.ts'
import {
  breakdownRules,
  cohortRulesOfEvents,
  countingRules,
  EVENT,
  SHARED_VALUES,
  splitRules,
} from './invalid-parts.ts'
import { divide } from './metrics.ts'
import type { ReferenceEvent } from './model.ts'
import { pointOf, type ReferencePoint, seriesName } from './points.ts'
import { bucketsOf, eventsInQuery, type Query, subjectOf } from './query.ts'
import { type BrokenDown, breakDown } from './ranking.ts'
import { canonicalUser, eventsOfPersons } from './users.ts'

/** A user of a cohort: the first start event, and the buckets in which the user returned. */
export interface Member {
  readonly first: ReferenceEvent
  readonly cohort: number
  readonly returns: ReadonlySet<number>
  /** The start events, and the return events from the first of them on. */
  readonly started: readonly ReferenceEvent[]
  readonly returned: readonly ReferenceEvent[]
}

/** Retention in the differential tests. */
export const RETENTION: InsightTypeEntry = {
  answer: (query) => ({ case: 'retention', value: answerRetention(query) }),
  points: retentionPoints,
  generate: (rng, generated) => ({
    events: plainQueries(rng, { generated, count: 1 + rng.below(2) }),
    ...breakdowns(rng),
  }),
  smallest: { events: [EVENT] },
  fields: {
    events: SHARED_VALUES.events,
    breakdowns: SHARED_VALUES.breakdowns,
    breakdownCohortIds: SHARED_VALUES.breakdownCohortIds,
  },
  broken: [
    ...cohortRulesOfEvents('RETENTION'),
    ...splitRules('RETENTION', true),
    { name: 'retention needs a start event', fields: { events: [] } },
    { name: 'retention has two events at most', fields: { events: [EVENT, EVENT, EVENT] } },
    ...countingRules('RETENTION'),
    ...breakdownRules('RETENTION'),
  ],
  normalise: (result) =>
    result.case === 'retention'
      ? {
          series: result.value.series.map(({ breakdown, cohorts }) => ({
            breakdown,
            cohorts: cohorts.map(normaliseCohort),
          })),
        }
      : undefined,
}

function answerRetention(query: Query): MessageInitShape<typeof RetentionResultSchema> {
  const bucketStarts = bucketsOf(query)
  return {
    series: breakDownMembers(query).map(({ breakdown, items }) => ({
      breakdown,
      cohorts: bucketStarts.map((_, cohort) => describeCohort(items, { bucketStarts, cohort })),
    })),
  }
}

/** The users of all cohorts of each series. */
export function breakDownMembers(query: Query): readonly BrokenDown<Member>[] {
  return breakDown(listMembers(query, bucketsOf(query)), query, {
    eventOf: ({ first }) => first,
    measure: (members) => members.length,
  })
}

function listMembers(query: Query, bucketStarts: readonly number[]): readonly Member[] {
  const { world, spec } = query
  const events = eventsOfPersons(eventsInQuery(query), spec)
  const byUser = Map.groupBy(events, ({ distinctId }) => canonicalUser(world.people, distinctId))
  return [...byUser.values()].flatMap((list) => findMember(list, { query, bucketStarts }))
}

function findMember(
  events: readonly ReferenceEvent[],
  { query, bucketStarts }: { readonly query: Query; readonly bucketStarts: readonly number[] },
): readonly Member[] {
  const [start, returnEvent = start] = query.spec.events
  const matches = (event: ReferenceEvent, entry: typeof start): boolean =>
    matchesEntry(subjectOf(query, event), entry)
  const started = events.filter((event) => matches(event, start)).toSorted(compareEvents)
  const [first] = started
  if (first === undefined) return []
  const returned = events.filter((event) => event.occurMs >= first.occurMs && matches(event, returnEvent))
  const indexOf = ({ occurMs }: ReferenceEvent): number => bucketIndex(bucketStarts, occurMs)
  return [{ first, cohort: indexOf(first), returns: new Set(returned.map(indexOf)), started, returned }]
}

function describeCohort(
  members: readonly Member[],
  { bucketStarts, cohort }: { readonly bucketStarts: readonly number[]; readonly cohort: number },
): MessageInitShape<typeof RetentionCohortSchema> {
  const ownMembers = members.filter((member) => member.cohort === cohort)
  const points = bucketStarts.flatMap((start, index) => {
    if (index < cohort) return []
    const part = 100 * ownMembers.filter(({ returns }) => returns.has(index)).length
    return [{ time: timestampFromMs(start), value: divide({ part, whole: ownMembers.length }) }]
  })
  return { cohort: formatBucketStart(bucketStarts[cohort] ?? 0), cohortSize: ownMembers.length, points }
}

/** RFC 3339 as the times of points are printed: in UTC, without a fraction of zero. */
function formatBucketStart(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z')
}

/** Any RFC 3339 form of an instant will do. */
function normaliseCohort({ cohort, cohortSize, points }: RetentionCohort): unknown {
  const isInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(cohort)
  return { cohort: isInstant ? new Date(cohort).toISOString() : cohort, cohortSize, points }
}

function retentionPoints(query: Query, { result }: QueryResponse): readonly ReferencePoint[] {
  const starts = bucketsOf(query)
  const answered = result.case === 'retention' ? result.value.series : []
  return breakDownMembers(query).flatMap((group, position) =>
    starts.flatMap((startMs, cohort) => {
      const members = group.items.filter((member) => member.cohort === cohort)
      const shown = answered[position]?.cohorts[cohort]
      const within = (events: readonly ReferenceEvent[], bucket: number): readonly ReferenceEvent[] =>
        events.filter(({ occurMs }) => bucketIndex(starts, occurMs) === bucket)
      return starts.slice(cohort).flatMap((_, period) => {
        const name = { cohort: timestampFromMs(startMs), period, ...seriesName(group) }
        const bucket = cohort + period
        const [back, away] = [
          members.filter(({ returns }) => returns.has(bucket)),
          members.filter(({ returns }) => !returns.has(bucket)),
        ]
        const size = shown?.cohortSize ?? 0
        const returned = Math.round(((shown?.points[period]?.value ?? 0) * size) / 100)
        return [
          {
            point: pointOf('retention', { ...name, outcome: RetentionPoint_Outcome.RETURNED }),
            events: back.flatMap((member) => within(member.returned, bucket)),
            users: returned,
          },
          {
            point: pointOf('retention', { ...name, outcome: RetentionPoint_Outcome.DID_NOT_RETURN }),
            events: away.flatMap((member) => within(member.started, cohort)),
            users: size - returned,
          },
        ]
      })
    }),
  )
}
