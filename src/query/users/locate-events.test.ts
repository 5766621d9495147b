import { afterAll, assert, beforeAll, expect, test } from 'vitest'
import { msOf, sampleProfile, sampleWorld } from '../../../test/differential/sample.ts'
import { openSharedWorldStore } from '../../../test/differential/shared-world-store.ts'
import type { WorldStore } from '../../../test/differential/world-store.ts'
import type { ProjectId } from '../../contract/ids.ts'
import { stringCodec, uint64Codec } from '../sql/codec.ts'
import { scopedEvents } from '../sql/events-table.ts'
import { column, type QueryRunner, select } from '../sql/select.ts'
import { render, sql } from '../sql/sql.ts'
import { locateEvents, locateEventsOf } from './locate-events.ts'
import { canonicalUser, USER_KEY, userHash } from './user-sql.ts'

const BOB_ID = '01930000-0000-7000-8000-0000000000b0'
const RANGE = { fromMs: msOf('00:00'), toMs: msOf('23:00') }

const world = sampleWorld(
  [
    { at: '09:00', by: 'ann' },
    { at: '10:00', by: 'anon-1' },
    { at: '11:00', by: BOB_ID },
    { at: '12:00', by: 'anon-2' },
    { at: '13:00', by: 'bob' },
    { at: '14:00', by: 'ann' },
  ],
  [{ ...sampleProfile('bob', { anonymousIds: ['anon-1', 'anon-2'] }), profileId: BOB_ID }],
)

let store: WorldStore
let projectId: ProjectId

const run: QueryRunner = async (query) => await store.run(query, AbortSignal.timeout(30_000))

beforeAll(async () => {
  store = await openSharedWorldStore()
  const scene = { timeZone: 'UTC', anchorMs: 0 }
  projectId = await store.load({ seed: 0, world, copies: world.events, scene, instants: [] })
  await store.settle()
})

afterAll(async () => await store?.close())

test.each([
  { ids: 'told by value', hashesMax: undefined, isFoundOut: false },
  { ids: 'as many as may be told', hashesMax: 4, isFoundOut: false },
  { ids: 'more than may be told', hashesMax: 3, isFoundOut: true },
])('all events of a user are found: $ids', async ({ hashesMax, isFoundOut }) => {
  const user = { projectId, distinctId: 'anon-2' }
  const place = await locateEvents(user, { range: RANGE, run, hashesMax })
  const query = select(
    { id: column(stringCodec, sql`distinct_id`) },
    sql`${scopedEvents({ projectId, ...place })} AND ${USER_KEY} = ${canonicalUser(user)} ORDER BY time`,
  )
  expect((await run(query)).map(({ id }) => id)).toEqual(['anon-1', BOB_ID, 'anon-2', 'bob'])
  expect(render(query.statement).text.includes('FROM identity_claims')).toBe(isFoundOut)
  expect(place).toMatchObject({ fromMs: msOf('10:00'), toMs: msOf('13:00') + 1 })
})

test('the events of several users are found by the hashes of their own ids', async () => {
  const columns = {
    ann: column(uint64Codec, userHash({ projectId, distinctId: 'ann' })),
    bob: column(uint64Codec, userHash({ projectId, distinctId: 'bob' })),
    nobody: column(uint64Codec, userHash({ projectId, distinctId: 'nobody' })),
  }
  const [hashes] = await run(select(columns, sql``))
  assert(hashes)
  const { ann, bob, nobody } = hashes
  const placesOf = async (users: readonly bigint[]) => await locateEventsOf({ projectId, users }, run)
  expect(await placesOf([bob, nobody])).toMatchObject({ fromMs: msOf('10:00'), toMs: msOf('13:00') + 1 })
  expect(await placesOf([nobody])).toBeUndefined()
  const place = await placesOf([ann, bob])
  assert(place)
  const found = select(
    { id: column(stringCodec, sql`distinct_id`) },
    sql`${scopedEvents({ projectId, ...place })} ORDER BY time`,
  )
  expect((await run(found)).map(({ id }) => id)).toEqual(['ann', 'anon-1', BOB_ID, 'anon-2', 'bob', 'ann'])
})
