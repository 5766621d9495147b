import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type EventSample, sampleProfile, sampleWorld } from '../../../test/differential/sample.ts'
import { openSharedWorldStore } from '../../../test/differential/shared-world-store.ts'
import type { WorldStore } from '../../../test/differential/world-store.ts'
import { ListRequestSchema, ProfileOrder } from '../../contract/gen/shared/profiles/v1/profiles_service_pb.js'
import { asProjectId, type ProjectId } from '../../contract/ids.ts'
import type { QueryRunner } from '../sql/select.ts'
import { listProfiles, type ProfilesFrame } from './list-profiles.ts'

type Fields = Exclude<MessageInitShape<typeof ListRequestSchema>, { $typeName: string }>

const PROFILES = [
  sampleProfile('bob', {
    anonymousIds: ['anon-bob'],
    traits: { name: 'Bob Ä"hrens', email: 'BOB@mail.example' },
  }),
  sampleProfile('carla', { traits: { name: 'carla', plan: 'bob' } }),
].map((profile, at) => ({ ...profile, profileId: `01930000-0000-7000-8000-0000000000b${at}` }))

const EVENTS: readonly EventSample[] = [
  { at: '10:00', by: 'carla' },
  { at: '11:00', by: 'anna-7' },
  { at: '12:00', by: 'anon-bob' },
  { at: '12:30', by: 'carla' },
  { at: '13:00', by: 'cookieless-x' },
]

let store: WorldStore
let projectId: ProjectId
const run: QueryRunner = async (query) => await store.run(query, AbortSignal.timeout(30_000))

beforeAll(async () => {
  store = await openSharedWorldStore()
  const world = sampleWorld(EVENTS, PROFILES)
  const scene = { timeZone: 'UTC', anchorMs: 0 }
  projectId = await store.load({ seed: 0, world, copies: world.events, scene, instants: [] })
  await store.settle()
})

afterAll(async () => {
  await store.close()
})

async function page(fields: Fields, of = projectId) {
  const request = create(ListRequestSchema, fields)
  const frames: ProfilesFrame[] = []
  for await (const frame of listProfiles({ request, projectId: of, run })) frames.push(frame)
  const ids = frames.flatMap(({ profiles }) => profiles.map(({ id, externalId }) => externalId || id))
  const { totalProfiles, matchingProfiles } = frames[0] ?? {}
  return { ids, total: totalProfiles, matching: matchingProfiles, token: frames.at(-1)?.nextPageToken ?? '' }
}

/** All people, one page after the other. */
async function listAll(fields: Fields): Promise<readonly (string | undefined)[]> {
  const ids: (string | undefined)[] = []
  let pageToken = ''
  do {
    const next = await page({ ...fields, pageSize: 1, pageToken })
    ids.push(...next.ids)
    pageToken = next.token
  } while (pageToken !== '')
  return ids
}

describe('a search for people', () => {
  test.each([
    ['', ['anna-7', 'bob', 'carla']],
    ['ANNA', ['anna-7']],
    ['BOB', ['bob']],
    ['bob@MAIL', ['bob']],
    ['ä"H', ['bob']],
    ['  carla ', ['carla']],
    ['anon-bob', []],
    ['%', []],
    ['nobody', []],
  ])('for %j finds %j by name, email and ID', async (search, found) => {
    const { ids, matching, total } = await page({ search, withCounts: true })
    expect([ids.sort(), matching, total]).toEqual([found, BigInt(found.length), 3n])
  })

  test('does not count where it is not told to', async () => {
    expect(await page({ search: 'bob' })).toMatchObject({ total: undefined, matching: undefined })
  })

  test('finds no one of another project', async () => {
    const other = asProjectId(Number(projectId) + 1)
    expect(await page({ search: 'bob', withCounts: true }, other)).toMatchObject({ ids: [], total: 0n })
  })
})

describe('people in order, page by page', () => {
  test.each([
    ['of their last event', ProfileOrder.LAST_SEEN, ['carla', 'bob', 'anna-7']],
    ['of their first event', ProfileOrder.FIRST_SEEN, ['bob', 'anna-7', 'carla']],
    ['of their names', ProfileOrder.NAME, ['anna-7', 'bob', 'carla']],
  ])('%s, and the other way round', async (_, order, ids) => {
    expect(await listAll({ order })).toEqual(ids)
    expect(await listAll({ order, isReversed: true })).toEqual(ids.toReversed())
  })

  test('of their creation are the same people in either direction', async () => {
    const ids = await listAll({})
    expect([...ids].sort()).toEqual(['anna-7', 'bob', 'carla'])
    expect(await listAll({ isReversed: true })).toEqual(ids.toReversed())
  })

  test('need a token of the same order', async () => {
    const { token } = await page({ order: ProfileOrder.NAME, pageSize: 1 })
    for (const fields of [
      {},
      { order: ProfileOrder.LAST_SEEN },
      { order: ProfileOrder.NAME, isReversed: true },
    ])
      await expect(page({ ...fields, pageToken: token })).rejects.toMatchObject({
        reason: 'INVALID_PAGE_TOKEN',
      })
  })
})
