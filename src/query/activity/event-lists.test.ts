import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ReferenceWorld } from '../../../test/differential/model.ts'
import { projectOf } from '../../../test/differential/project-of.ts'
import { msOf, sampleProfile, sampleWorld } from '../../../test/differential/sample.ts'
import { openSharedWorldStore } from '../../../test/differential/shared-world-store.ts'
import type { WorldStore } from '../../../test/differential/world-store.ts'
import { CohortDefinitionSchema } from '../../contract/gen/millrace/cohorts/v1/cohort_pb.js'
import {
  EventOrder,
  GetEventExplorerRequestSchema,
} from '../../contract/gen/shared/activity/v1/activity_service_pb.js'
import type { ProjectId } from '../../contract/ids.ts'
import { exploreEvents } from './event-lists.ts'

const BUYERS = '01930000-0000-7000-8000-0000000000c1'

const people = sampleWorld(
  [
    { at: '12:00', by: 'anon-ada' },
    { at: '12:01', by: 'ada', kind: 'purchase' },
    { at: '12:02', by: 'bob' },
    { at: '12:03', by: 'cookieless-x', kind: 'purchase' },
    { at: '12:04', by: 'ada' },
  ],
  [
    {
      ...sampleProfile('ada', { anonymousIds: ['anon-ada'] }),
      profileId: '01930000-0000-7000-8000-0000000000e1',
    },
  ],
)

const bought = { kind: { case: 'performed', value: { event: { kind: 'purchase' } } } } as const
const definition = create(CohortDefinitionSchema, { node: { case: 'condition', value: bought } })
const world: ReferenceWorld = { ...people, cohorts: [{ id: BUYERS, definition }], nowMs: msOf('13:00') }

let store: WorldStore
let projectId: ProjectId

beforeAll(async () => {
  store = await openSharedWorldStore()
  const scene = { timeZone: 'UTC', anchorMs: 0 }
  projectId = await store.load({ seed: 0, world, copies: world.events, scene, instants: [] })
  await store.settle()
})

afterAll(async () => await store?.close())

type Fields = MessageInitShape<typeof GetEventExplorerRequestSchema>

/** The distinct ids of the listed events, page by page. */
async function list(fields: Fields, pageToken = ''): Promise<readonly string[]> {
  const { events, nextPageToken } = await exploreEvents({
    request: create(GetEventExplorerRequestSchema, { ...fields, pageToken }),
    project: projectOf(world, projectId),
    nowMs: Date.now(),
    run: async (compiled) => await store.run(compiled, AbortSignal.timeout(30_000)),
  })
  const ids = events.map(({ distinctId }) => distinctId)
  return nextPageToken === '' ? ids : [...ids, ...(await list(fields, nextPageToken))]
}

test('the events of a cohort are all events of its people, without cookieless visitors', async () => {
  expect(await list({ cohorts: [{ cohortId: BUYERS }] })).toEqual(['ada', 'ada', 'anon-ada'])
  expect(await list({ cohorts: [{ cohortId: BUYERS, negate: true }] })).toEqual(['bob'])
})

test('cohorts hold together with the other conditions, in each order and on each page', async () => {
  const cohorts = [{ cohortId: BUYERS }]
  expect(await list({ cohorts, events: [{ kind: 'purchase' }] })).toEqual(['ada'])
  expect(await list({ cohorts, pageSize: 1 })).toEqual(['ada', 'ada', 'anon-ada'])
  const arrived = await list({ cohorts, order: EventOrder.ARRIVAL, pageSize: 2 })
  expect(arrived.toSorted()).toEqual(['ada', 'ada', 'anon-ada'])
  expect(await list({ cohorts: [...cohorts, { cohortId: BUYERS, negate: true }] })).toEqual([])
})
