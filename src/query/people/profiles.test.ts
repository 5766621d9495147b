import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { expect, test } from 'vitest'
import { createScriptedRunner } from '../../../test/harness/scripted-runner.ts'
import { asProjectId } from '../../contract/ids.ts'
import { toProfile, toProfiles } from './profiles.ts'

const projectId = asProjectId(1)
const ANNA = { user: 1n, id: 'a', externalId: 'anna', createdMs: 5, updatedMs: 9 }
const ANONYMOUS = { user: 2n, id: 'b', externalId: '', createdMs: 7, updatedMs: 0 }

test('users keep their order, with their own traits and summaries', async () => {
  const { run } = createScriptedRunner(
    [{ user: 1n, key: 'plan', value: '"pro"' }],
    [{ hashes: [2n], firstMs: 7, lastMs: 8 }],
    [{ user: 2n, firstMs: 7, lastMs: 8, totalEvents: 3n }],
  )
  const profiles = await toProfiles({ projectId, people: [ANONYMOUS, ANNA] }, run)
  expect(profiles).toMatchObject([
    { id: 'b', properties: {}, activity: { totalEvents: 3n, lastSeen: timestampFromMs(8) } },
    { id: 'a', properties: { plan: 'pro' }, activity: {} },
  ])
})

test('a profile without traits was updated when it was created', async () => {
  const [anna, anonymous] = await toProfiles(
    { projectId, people: [ANNA, ANONYMOUS] },
    createScriptedRunner().run,
  )
  expect(anna?.updateTime).toEqual(timestampFromMs(9))
  expect(anonymous?.updateTime).toEqual(timestampFromMs(7))
})

test('no users need no statement, and an unknown user is an error', async () => {
  const { run, statements } = createScriptedRunner()
  expect(await toProfiles({ projectId, people: [] }, run)).toEqual([])
  await expect(toProfile({ projectId, person: undefined }, run)).rejects.toMatchObject({ code: 'not_found' })
  expect(statements).toEqual([])
})
