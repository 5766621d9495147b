import { create } from '@bufbuild/protobuf'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ListMembersRequestSchema } from '../../src/contract/gen/millrace/cohorts/v1/cohorts_service_pb.js'
import { ListRequestSchema } from '../../src/contract/gen/shared/profiles/v1/profiles_service_pb.js'
import type { ProjectId } from '../../src/contract/ids.ts'
import { Prng } from '../../src/kernel/prng.ts'
import { countUsers, findCohortsOfUser, listUsers } from '../../src/query/cohort-calls/cohort-users.ts'
import { ruleOfDefinition } from '../../src/query/cohorts/cohort-reader.ts'
import { listProfiles } from '../../src/query/people/list-profiles.ts'
import type { QueryRunner } from '../../src/query/sql/select.ts'
import { compareBytewise } from './bytewise.ts'
import { membersOf, selectUsers, shownMembers, usersOf } from './cohorts.ts'
import { type GeneratedWorld, generateWorld } from './generate.ts'
import { generateDefinition } from './generate-cohorts.ts'
import { projectOf } from './project-of.ts'
import { openSharedWorldStore } from './shared-world-store.ts'
import { canonicalUser, shownUser } from './users.ts'
import type { WorldStore } from './world-store.ts'

const SEEDS = [71, 72, 73, 74].slice(0, Number(process.env.MILLRACE_TEST_WORLDS ?? 5))
const DEFINITIONS_PER_WORLD = 15
const USERS_PER_WORLD = 8

let store: WorldStore
const worlds: { readonly generated: GeneratedWorld; readonly projectId: ProjectId }[] = []
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

describe.each(SEEDS.map((seed, index) => ({ seed, index })))('in world $seed', ({ index }) => {
  const loaded = () => {
    const found = worlds[index]
    if (!found) throw new Error('the world was not loaded')
    const { generated, projectId } = found
    const { world } = generated
    const cohorts = world.cohorts ?? []
    return { generated, world, cohorts, project: projectOf(world, projectId), projectId }
  }

  test('definitions select the users of the reference, and their negation all others', async () => {
    const { generated, world, cohorts, project, projectId } = loaded()
    const rng = new Prng(generated.seed + 9)
    const ids = cohorts.map(({ id }) => id)
    const all = usersOf(world).size
    const sizes = new Set<number>()
    for (let drawn = 0; drawn < DEFINITIONS_PER_WORLD; drawn++) {
      const definition = generateDefinition(rng, generated, ids)
      const instant = { nowMs: world.nowMs ?? 0, timeZone: project.projectTimeZone }
      const rule = ruleOfDefinition(definition, instant, project.cohorts)
      const expected = selectUsers(world, definition).length
      const place = JSON.stringify(definition, (_, value) =>
        typeof value === 'bigint' ? Number(value) : value,
      )
      expect(await countUsers(rule, { projectId, run }), place).toBe(expected)
      expect(await countUsers({ kind: 'not', of: rule }, { projectId, run }), place).toBe(all - expected)
      sizes.add(expected)
    }
    expect(sizes.size).toBeGreaterThan(3)
  })

  test('the users of each cohort are listed on pages in their order', async () => {
    const { world, cohorts, project, projectId } = loaded()
    for (const { id } of cohorts) {
      const rule = project.cohorts(id)
      const listed: string[] = []
      let pageToken = ''
      do {
        const request = create(ListMembersRequestSchema, { cohortId: id, pageSize: 5, pageToken })
        const page = await listUsers(rule, request, { projectId, run })
        listed.push(...(page.distinctIds ?? []))
        pageToken = page.nextPageToken ?? ''
      } while (pageToken !== '')
      expect(listed).toEqual([...shownMembers(world, id)].sort(compareBytewise))
    }
  })

  test('profiles are filtered by cohorts', async () => {
    const { generated, world, cohorts, project, projectId } = loaded()
    const rng = new Prng(generated.seed + 11)
    for (const { id } of cohorts) {
      const filters = [{ cohortId: id, negate: rng.chance(0.5) }]
      const request = create(ListRequestSchema, { cohorts: filters, pageSize: 1000 })
      const listed: string[] = []
      for await (const { profiles } of listProfiles({ request, projectId, cohorts: project.cohorts, run }))
        listed.push(...profiles.map((profile) => profile.externalId || (profile.id ?? '')))
      const members = membersOf(world, id)
      const expected = [...usersOf(world)].flatMap(([key, { distinctId }]) =>
        members.has(key) === filters[0]?.negate ? [] : [shownUser(world.people, distinctId)],
      )
      expect(listed.sort(compareBytewise)).toEqual(expected.sort(compareBytewise))
    }
  })

  test('a user is in the cohorts of the reference, by any id', async () => {
    const { generated, world, cohorts, project, projectId } = loaded()
    const rng = new Prng(generated.seed + 10)
    const ids = [
      ...world.events.map(({ distinctId }) => distinctId),
      ...world.people.profiles.flatMap(({ externalId, profileId }) => [externalId, profileId]),
      'nobody',
    ]
    const rules = cohorts.map(({ id }) => project.cohorts(id))
    const drawn = Array.from({ length: USERS_PER_WORLD }, () => rng.pick(ids))
    for (const distinctId of ['nobody', ...drawn]) {
      const user = canonicalUser(world.people, distinctId)
      const expected = cohorts.map(({ id }) => membersOf(world, id).has(user))
      expect(await findCohortsOfUser(rules, { projectId, distinctId }, run), distinctId).toEqual(expected)
    }
  })
})
