import { afterAll, beforeAll, expect, test } from 'vitest'
import { sampleProfile, sampleWorld } from '../../../test/differential/sample.ts'
import { openSharedWorldStore } from '../../../test/differential/shared-world-store.ts'
import type { WorldStore } from '../../../test/differential/world-store.ts'
import type { ProjectId } from '../../contract/ids.ts'
import { readEventUsers } from './event-users.ts'

const PROFILE_ID = '01930000-0000-7000-8000-0000000000e0'

const world = sampleWorld(
  [
    { at: '12:00', by: 'anon-ada' },
    { at: '12:01', by: 'ada' },
    { at: '12:02', by: 'bob' },
  ],
  [
    {
      ...sampleProfile('ada', {
        anonymousIds: ['anon-ada'],
        traits: { name: 'Ada Byron', email: 'ada@mail.example', plan: 'pro' },
      }),
      profileId: PROFILE_ID,
    },
  ],
)

const ADA = {
  externalId: 'ada',
  profileId: PROFILE_ID,
  traits: { name: 'Ada Byron', email: 'ada@mail.example' },
}

let store: WorldStore
let projectId: ProjectId

beforeAll(async () => {
  store = await openSharedWorldStore()
  const scene = { timeZone: 'UTC', anchorMs: 0 }
  projectId = await store.load({ seed: 0, world, copies: world.events, scene, instants: [] })
  await store.settle()
})

afterAll(async () => await store?.close())

const read = async (...distinctIds: readonly string[]) =>
  await readEventUsers(
    { projectId, distinctIds },
    async (compiled) => await store.run(compiled, AbortSignal.timeout(30_000)),
  )

test('each id of an identified user has that user, once, with the traits that name them', async () => {
  expect(await read('bob', 'anon-ada', 'ada', 'anon-ada', PROFILE_ID)).toEqual(
    [PROFILE_ID, 'ada', 'anon-ada'].map((distinctId) => ({ distinctId, ...ADA })),
  )
})

test('anonymous and unknown ids have none', async () => {
  expect(await read('bob', 'carol')).toEqual([])
  expect(await read()).toEqual([])
})
