import type { MessageInitShape } from '@bufbuild/protobuf'
import type { StickinessResultSchema } from '../../src/contract/gen/millrace/insights/v1/stickiness_pb.js'
import type { EventQuery } from '../../src/contract/gen/shared/insights/v1/event_query_pb.js'
import type { QueryResponse } from '../../src/contract/gen/shared/insights/v1/insights_service_pb.js'
import { bucketIndex } from './buckets.ts'
import { matchesEntry } from './cohorts.ts'
import { plainQueries } from './generate-parts.ts'
import type { InsightTypeEntry } from './insight-type.ts'
import { countingRules, EVENT, SHARED_VALUES } from './invalid-parts.ts'
import type { ReferenceEvent } from './model.ts'
import { pointOf, type ReferencePoint } from './points.ts'
import { bucketsOf, eventsInQuery, type Query, subjectOf } from './query.ts'
import { canonicalUser, eventsOfPersons } from './users.ts'

/** A user of a series: the events, and the number of buckets that they are in. */
interface ActiveUser {
  readonly events: readonly ReferenceEvent[]
  readonly buckets: number
}

/** Stickiness in the differential tests. */
export const STICKINESS: InsightTypeEntry = {
  answer: (query) => ({ case: 'stickiness', value: answerStickiness(query) }),
  points: listPoints,
  generate: (rng, generated) => ({ events: plainQueries(rng, { generated, count: 1 + rng.below(4) }) }),
  smallest: { events: [EVENT] },
  fields: { events: SHARED_VALUES.events },
  broken: [
    { name: 'stickiness needs an event', fields: { events: [] } },
    {
      name: 'stickiness has ten events at most',
      fields: { events: Array.from({ length: 11 }, () => EVENT) },
    },
    { name: 'stickiness needs a known aggregation', fields: { events: [{ ...EVENT, aggregation: 99 }] } },
    {
      name: 'stickiness has no average per user',
      fields: { events: [EVENT, { ...EVENT, aggregation: 'AGGREGATION_TYPE_PER_USER_AVG' }] },
    },
    ...countingRules('STICKINESS'),
  ],
}

function answerStickiness(query: Query): MessageInitShape<typeof StickinessResultSchema> {
  const numbers = bucketsOf(query).map((_, index) => index + 1)
  return {
    series: query.spec.events.map((entry) => {
      const users = listActiveUsers(query, entry)
      return {
        eventKind: entry.event?.kind ?? '',
        points: numbers.map((number) => ({
          buckets: number,
          users: BigInt(users.filter(({ buckets }) => buckets === number).length),
          cumulative: BigInt(users.filter(({ buckets }) => buckets >= number).length),
        })),
      }
    }),
  }
}

/** The users with an event in the range that matches. */
function listActiveUsers(query: Query, entry: EventQuery): readonly ActiveUser[] {
  const { world, spec } = query
  const starts = bucketsOf(query)
  const matching = eventsOfPersons(eventsInQuery(query), spec).filter((event) =>
    matchesEntry(subjectOf(query, event), entry),
  )
  const byUser = Map.groupBy(matching, ({ distinctId }) => canonicalUser(world.people, distinctId))
  return [...byUser.values()].map((events) => ({
    events,
    buckets: new Set(events.map(({ occurMs }) => bucketIndex(starts, occurMs))).size,
  }))
}

function listPoints(query: Query, { result }: QueryResponse): readonly ReferencePoint[] {
  const answered = result.case === 'stickiness' ? result.value.series : []
  return query.spec.events.flatMap((entry, series) => {
    const users = listActiveUsers(query, entry)
    return bucketsOf(query).flatMap((_, index) => {
      const buckets = index + 1
      const shown = answered[series]?.points[index]
      const of = (counts: (user: ActiveUser) => boolean): readonly ReferenceEvent[] =>
        users.filter(counts).flatMap(({ events }) => events)
      return [
        {
          point: pointOf('stickiness', { series, buckets }),
          events: of((user) => user.buckets === buckets),
          users: shown && Number(shown.users),
        },
        {
          point: pointOf('stickiness', { series, buckets, cumulative: true }),
          events: of((user) => user.buckets >= buckets),
          users: shown && Number(shown.cumulative),
        },
      ]
    })
  })
}
