import { create, toJsonString } from '@bufbuild/protobuf'
import { timestampMs } from '@bufbuild/protobuf/wkt'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type ListRequest,
  ListRequestSchema,
  type ListResponse,
  ListResponseSchema,
} from '../../src/contract/gen/millrace/people/v1/actors_service_pb.js'
import { InsightType } from '../../src/contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import {
  type QueryRequest,
  type QueryResponse,
  QueryResponseSchema,
} from '../../src/contract/gen/shared/insights/v1/insights_service_pb.js'
import type { ProjectId } from '../../src/contract/ids.ts'
import { Prng } from '../../src/kernel/prng.ts'
import { listActors } from '../../src/query/actors/list-actors.ts'
import { prepareInsight } from '../../src/query/insight-types.ts'
import type { QueryRunner } from '../../src/query/sql/select.ts'
import { listPoints, type ReferenceActor, listActors as referenceActors } from './drill-down.ts'
import { type GeneratedWorld, generateRequest, generateWorld, INSIGHT_TYPES } from './generate.ts'
import type { ReferencePoint } from './points.ts'
import { projectOf } from './project-of.ts'
import { parseQuery } from './query.ts'
import { openSharedWorldStore } from './shared-world-store.ts'
import type { WorldStore } from './world-store.ts'

const SEEDS = [81, 82, 83]
const QUERIES_PER_TYPE = 12
const POINTS_PER_QUERY = 4
const SESSIONS_MAX = 20

interface Loaded {
  readonly generated: GeneratedWorld
  readonly projectId: ProjectId
}

let store: WorldStore
const worlds: Loaded[] = []
const run: QueryRunner = async (query) => await store.run(query, AbortSignal.timeout(60_000))

beforeAll(async () => {
  store = await openSharedWorldStore()
  for (const generated of SEEDS.map((seed) => generateWorld(seed))) {
    worlds.push({ generated, projectId: await store.load(generated) })
  }
  await store.settle()
})

afterAll(async () => {
  await store.close()
})

/** Every page of a point, with pages of another size each. */
async function listAll(
  request: ListRequest,
  { generated, projectId }: Loaded,
  rng: Prng,
): Promise<ListResponse> {
  const project = projectOf(generated.world, projectId)
  const users: ListResponse['users'] = []
  let pageToken = ''
  for (;;) {
    const page = create(ListRequestSchema, { ...request, pageSize: 3 + rng.below(20), pageToken })
    const answer = create(ListResponseSchema, await listActors({ request: page, project, run }))
    users.push(...answer.users)
    if (answer.nextPageToken === '') return { ...answer, users }
    pageToken = answer.nextPageToken
  }
}

function toReference({ users }: ListResponse): readonly ReferenceActor[] {
  return users.map(({ id, events, firstEventTime, lastEventTime, sessionIds }) => ({
    id,
    events: Number(events),
    firstMs: firstEventTime ? timestampMs(firstEventTime) : Number.NaN,
    lastMs: lastEventTime ? timestampMs(lastEventTime) : Number.NaN,
    sessions: sessionIds,
  }))
}

/** Points of an answer at random, most of them with events; one of an answer without any. */
function drawPoints(rng: Prng, points: readonly ReferencePoint[]): readonly ReferencePoint[] {
  const inhabited = points.filter(({ events }) => events.length > 0)
  const count = inhabited.length > 0 ? POINTS_PER_QUERY : 1
  return Array.from({ length: Math.min(count, points.length) }, () =>
    rng.pick(inhabited.length > 0 && rng.chance(0.85) ? inhabited : points),
  )
}

async function answer(request: QueryRequest, { generated, projectId }: Loaded): Promise<QueryResponse> {
  const project = projectOf(generated.world, projectId)
  return create(QueryResponseSchema, await prepareInsight(request, project).answer(run))
}

describe.each(INSIGHT_TYPES.map((type) => ({ name: InsightType[type], type })))(
  'points of $name',
  ({ type }) => {
    test('have the users of the reference, as many as the number there', { timeout: 300_000 }, async () => {
      const rng = new Prng(1000 + type)
      let [checked, inhabited] = [0, 0]
      for (let drawn = 0; drawn < QUERIES_PER_TYPE; drawn++) {
        const world = rng.pick(worlds)
        const query = generateRequest(rng, world.generated, type)
        const points = listPoints(parseQuery(world.generated.world, query), await answer(query, world))
        for (const expected of drawPoints(rng, points)) {
          const request = create(ListRequestSchema, { query, point: expected.point })
          const { total, actors } = referenceActors(expected, world.generated.world.people)
          const listed = await listAll(request, world, rng)
          const shown = actors.map((actor) => ({ ...actor, sessions: actor.sessions.slice(0, SESSIONS_MAX) }))
          const place = toJsonString(ListRequestSchema, request)
          expect({ total: Number(listed.totalUsers), users: toReference(listed) }, place).toEqual({
            total,
            users: shown,
          })
          expect(Number(listed.cookielessUsers), place).toBe(total - actors.length)
          expect(expected.users ?? total, place).toBe(total)
          checked++
          inhabited += total > 0 ? 1 : 0
        }
      }
      expect(inhabited).toBeGreaterThan(checked / 4)
    })
  },
)
