import { InsightType } from '../../src/contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import type { QueryResponse } from '../../src/contract/gen/shared/insights/v1/insights_service_pb.js'
import { compareBytewise } from './bytewise.ts'
import { listParts } from './cohort-parts.ts'
import { INSIGHT_TYPE_ENTRIES } from './insight-types.ts'
import { hasSession, type People, type ReferenceEvent } from './model.ts'
import type { ReferencePoint } from './points.ts'
import type { Query } from './query.ts'
import { canonicalUser, shownUser } from './users.ts'

/** A user behind a point. */
export interface ReferenceActor {
  readonly id: string
  readonly events: number
  readonly firstMs: number
  readonly lastMs: number
  /** The latest first, ties by id; all of them. */
  readonly sessions: readonly string[]
}

/** Every point of the answer to a query; ids of nodes are those of the answer. */
export function listPoints(query: Query, response: QueryResponse): readonly ReferencePoint[] {
  const { insightType } = query.spec
  if (insightType === InsightType.UNSPECIFIED) throw new RangeError('a query without an insight type')
  return listParts(query, response, INSIGHT_TYPE_ENTRIES[insightType].points)
}

/** The number of users behind events, and those who are listed, ascending. */
export function listActors(
  { events }: ReferencePoint,
  people: People,
): { readonly total: number; readonly actors: readonly ReferenceActor[] } {
  const byUser = Map.groupBy(events, ({ distinctId }) => canonicalUser(people, distinctId))
  const persons = [...byUser.values()].filter((list) => list.some(({ cookieless }) => !cookieless))
  const actors = persons.map((list): ReferenceActor => {
    const times = list.map(({ occurMs }) => occurMs)
    return {
      id: shownUser(people, list[0]?.distinctId ?? ''),
      events: list.length,
      firstMs: Math.min(...times),
      lastMs: Math.max(...times),
      sessions: sessionsOf(list),
    }
  })
  return { total: byUser.size, actors: actors.sort((a, b) => compareBytewise(a.id, b.id)) }
}

function sessionsOf(events: readonly ReferenceEvent[]): readonly string[] {
  const latest = [...Map.groupBy(events.filter(hasSession), ({ sessionId }) => sessionId)].map(
    ([id, list]) => [id, Math.max(...list.map(({ occurMs }) => occurMs))] as const,
  )
  return latest.sort((a, b) => b[1] - a[1] || compareBytewise(a[0], b[0])).map(([id]) => id)
}
