import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { LifecycleState } from '../../src/contract/gen/millrace/insights/v1/lifecycle_pb.js'
import { Granularity } from '../../src/contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import type { QueryResponse } from '../../src/contract/gen/shared/insights/v1/insights_service_pb.js'
import type { LifecycleResultSchema } from '../../src/contract/gen/shared/insights/v1/lifecycle_result_pb.js'
import { bucketIndex, listBucketStarts } from './buckets.ts'
import { matchesEntry } from './cohorts.ts'
import { plainQueries } from './generate-parts.ts'
import type { InsightTypeEntry } from './insight-type.ts'
import { countingRules, EVENT, SHARED_VALUES } from './invalid-parts.ts'
import type { ReferenceEvent } from './model.ts'
import { pointOf, type ReferencePoint } from './points.ts'
import { bucketsOf, eventsMeeting, eventsWithin, type Query, subjectOf } from './query.ts'
import { canonicalUser, eventsOfPersons } from './users.ts'

const { NEW, RETURNING, RESURRECTED, DORMANT } = LifecycleState

/** The users of one state in one bucket, with the events that put them there. */
interface Cell {
  readonly state: LifecycleState
  readonly startMs: number
  /** One list for each user. */
  readonly users: readonly (readonly ReferenceEvent[])[]
}

/** Lifecycles in the differential tests. */
export const LIFECYCLE: InsightTypeEntry = {
  answer: (query) => ({ case: 'lifecycle', value: answerLifecycle(query) }),
  points: listPoints,
  generate: (rng, generated) => ({ events: plainQueries(rng, { generated, count: 1 }) }),
  smallest: { events: [EVENT] },
  granularities: [Granularity.DAY, Granularity.WEEK, Granularity.MONTH],
  fields: { events: SHARED_VALUES.events },
  broken: [
    { name: 'a lifecycle needs an event', fields: { events: [] } },
    { name: 'a lifecycle has one event', fields: { events: [EVENT, EVENT] } },
    { name: 'a lifecycle needs a known aggregation', fields: { events: [{ ...EVENT, aggregation: 99 }] } },
    {
      name: 'a lifecycle has no average per user',
      fields: { events: [{ ...EVENT, aggregation: 'AGGREGATION_TYPE_PER_USER_AVG' }] },
    },
    ...countingRules('LIFECYCLE'),
  ],
}

function answerLifecycle(query: Query): MessageInitShape<typeof LifecycleResultSchema> {
  const cells = listCells(query)
  return {
    series: [NEW, RETURNING, RESURRECTED, DORMANT].map((state) => ({
      state,
      points: cells
        .filter((cell) => cell.state === state)
        .map(({ startMs, users }) => ({ time: timestampFromMs(startMs), value: users.length })),
    })),
  }
}

/** Every state of every bucket, bucket by bucket. */
function listCells(query: Query): readonly Cell[] {
  const { world, spec, range, calendar } = query
  const matching = eventsOfPersons(eventsMeeting(world, spec), spec).filter((event) =>
    matchesEntry(subjectOf(query, event), spec.events[0]),
  )
  const people = [
    ...Map.groupBy(matching, ({ distinctId }) => canonicalUser(world.people, distinctId)).values(),
  ]
  const starts = bucketsOf(query)
  const [firstMs = range.fromMs] = starts
  const [beforeMs = firstMs] = listBucketStarts({ fromMs: firstMs - 1, toMs: firstMs }, calendar)
  const histories = people.map((events) => ({
    firstBucket: bucketIndex(starts, Math.min(...events.map(({ occurMs }) => occurMs))),
    // The bucket before the first one is -1, and counts whole.
    activity: new Map([
      ...Map.groupBy(eventsWithin(events, range), ({ occurMs }) => bucketIndex(starts, occurMs)),
      [-1, eventsWithin(events, { fromMs: beforeMs, toMs: firstMs })] as const,
    ]),
  }))
  return starts.flatMap((startMs, bucket) => {
    const users = histories.map(({ firstBucket, activity }) => {
      const [before = [], now = []] = [activity.get(bucket - 1), activity.get(bucket)]
      return { before, now, state: stateOf({ before, now, isFirst: firstBucket === bucket }) }
    })
    return [NEW, RETURNING, RESURRECTED, DORMANT].map((state) => ({
      state,
      startMs,
      users: users
        .filter((user) => user.state === state)
        .map(({ before, now }) => (state === DORMANT ? before : now)),
    }))
  })
}

function listPoints(query: Query, { result }: QueryResponse): readonly ReferencePoint[] {
  const answered = result.case === 'lifecycle' ? result.value.series : []
  const starts = bucketsOf(query)
  return listCells(query).map(({ state, startMs, users }) => ({
    point: pointOf('lifecycle', { state, bucket: timestampFromMs(startMs) }),
    events: users.flat(),
    users: answered.find((series) => series.state === state)?.points[starts.indexOf(startMs)]?.value,
  }))
}

function stateOf(user: {
  readonly before: readonly ReferenceEvent[]
  readonly now: readonly ReferenceEvent[]
  /** Whether the first event of all time lies in the bucket. */
  readonly isFirst: boolean
}): LifecycleState | undefined {
  const [wasActive, isActive] = [user.before.length > 0, user.now.length > 0]
  if (!isActive) return wasActive ? DORMANT : undefined
  if (user.isFirst) return NEW
  return wasActive ? RETURNING : RESURRECTED
}
