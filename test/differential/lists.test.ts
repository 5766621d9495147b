import { create } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  GetFilterSchemaRequestSchema,
  type GetFilterSchemaResponse,
  GetFilterSchemaResponseSchema,
} from '../../src/contract/gen/common/v1/filter_schema_pb.js'
import {
  GetPropertyValuesRequestSchema,
  type SegmentUsersRequest,
  SegmentUsersRequestSchema,
} from '../../src/contract/gen/shared/insights/v1/insights_service_pb.js'
import type { ProjectId } from '../../src/contract/ids.ts'
import type { ProjectContext } from '../../src/domain/insights/insight-context.ts'
import { Prng } from '../../src/kernel/prng.ts'
import { describeFilterSchema } from '../../src/query/filter-schema/filter-schema.ts'
import { listPropertyValues } from '../../src/query/filter-schema/property-values.ts'
import { listSegmentUsers } from '../../src/query/segment-users/segment-users.ts'
import type { QueryRunner } from '../../src/query/sql/select.ts'
import { type GeneratedWorld, generateSegmentRequest, generateWorld } from './generate.ts'
import { projectOf } from './project-of.ts'
import { answerFilterSchema, answerPropertyValues, answerSegmentUsers } from './reference.ts'
import { openSharedWorldStore } from './shared-world-store.ts'
import { EVENT_NAMES, KINDS, TRAIT_NAMES } from './vocabulary.ts'
import type { WorldStore } from './world-store.ts'

const SEEDS = [11, 12, 13, 14].slice(0, Number(process.env.MILLRACE_TEST_WORLDS ?? 5))
const SEGMENTS_PER_WORLD = 10
const AUTO = 1
const CUSTOM = 2
const PROFILE = 3
const SESSION_ENTRY = 1001
const FIRST_TOUCH = 1002

/** A world in the engine. */
interface Loaded {
  readonly generated: GeneratedWorld
  readonly projectId: ProjectId
}

let store: WorldStore
const worlds: Loaded[] = []

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

const run: QueryRunner = async (query) => await store.run(query, AbortSignal.timeout(60_000))

/** Every page of a segment, with pages of another size each. */
async function listAll(
  request: SegmentUsersRequest,
  { projectId, cohorts }: ProjectContext,
  rng: Prng,
): Promise<string[]> {
  const ids: string[] = []
  let pageToken = ''
  do {
    const page = create(SegmentUsersRequestSchema, { ...request, pageSize: 1 + rng.below(6), pageToken })
    const { distinctIds, nextPageToken } = await listSegmentUsers({
      request: page,
      projectId,
      cohorts,
      run,
    })
    ids.push(...distinctIds)
    pageToken = nextPageToken
  } while (pageToken !== '')
  return ids
}

/** The reference has no receive times of traits. */
function withoutTraitTimes(response: GetFilterSchemaResponse): unknown {
  const profilePropertyKeys = response.profilePropertyKeys.map(({ name, count, valueType }) => ({
    name,
    count,
    valueType,
  }))
  return { ...response, profilePropertyKeys }
}

describe.each(SEEDS.map((seed, index) => ({ seed, index })))('in world $seed', ({ index }) => {
  const loaded = (): Loaded => {
    const world = worlds[index]
    if (!world) throw new Error('the world was not loaded')
    return world
  }

  test('segments are those of the reference for every page size', async () => {
    const { generated, projectId } = loaded()
    const rng = new Prng(generated.seed + 7)
    for (let drawn = 0; drawn < SEGMENTS_PER_WORLD; drawn++) {
      const request = generateSegmentRequest(rng, generated)
      expect(
        await listAll(request, projectOf(generated.world, projectId), rng),
        JSON.stringify(request.events),
      ).toEqual(answerSegmentUsers(generated.world, request))
    }
  })

  test('values of properties are those of the reference', async () => {
    const { generated, projectId } = loaded()
    const keys = [
      ...EVENT_NAMES.map((key) => ({ key, source: key.startsWith('$') ? AUTO : CUSTOM })),
      ...TRAIT_NAMES.map((key) => ({ key, source: PROFILE })),
      ...EVENT_NAMES.map((key, at) => ({ key, source: at % 2 === 0 ? SESSION_ENTRY : FIRST_TOUCH })),
    ]
    for (const [position, { key, source }] of keys.entries()) {
      const eventKind = position % 2 === 0 ? '' : (KINDS[position % KINDS.length] ?? '')
      const search = position % 3 === 0 ? 'A' : ''
      const request = create(GetPropertyValuesRequestSchema, { propertyKey: key, source, eventKind, search })
      const { values, counts } = await listPropertyValues({
        request,
        projectId,
        reason: 'INVALID_INSIGHT_QUERY',
        run,
      })
      const counted = values.map((value, at) => ({ value, count: counts[at] }))
      expect(counted, `${key} of ${eventKind}`).toEqual(answerPropertyValues(generated.world, request))
    }
  })

  test('the filter schema is that of the reference', async () => {
    const { generated, projectId } = loaded()
    const { events } = generated.world
    const recentSince = timestampFromMs(events[events.length >> 1]?.occurMs ?? 0)
    for (const eventKind of ['', KINDS[0]]) {
      for (const allowedTypes of [[], [1], [2, 3], [6, 5], [4]]) {
        const request = create(GetFilterSchemaRequestSchema, { eventKind, allowedTypes, recentSince })
        const answer = await describeFilterSchema({ request, projectId, run })
        expect(withoutTraitTimes(create(GetFilterSchemaResponseSchema, answer))).toEqual(
          withoutTraitTimes(answerFilterSchema(generated.world, request)),
        )
      }
    }
  })
})
