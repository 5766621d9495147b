import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type EventSample, msOf, sampleProfile, sampleWorld } from '../../../test/differential/sample.ts'
import { openSharedWorldStore } from '../../../test/differential/shared-world-store.ts'
import type { WorldStore } from '../../../test/differential/world-store.ts'
import { printStatements } from '../../../test/harness/print-statements.ts'
import { AggregationType } from '../../contract/gen/shared/insights/v1/event_query_pb.js'
import { SegmentUsersRequestSchema } from '../../contract/gen/shared/insights/v1/insights_service_pb.js'
import { asProjectId, type ProjectId } from '../../contract/ids.ts'
import type { QueryRunner } from '../sql/select.ts'
import { render, type Statement } from '../sql/sql.ts'
import { listSegmentUsers, type UserPage } from './segment-users.ts'

type Fields = Exclude<MessageInitShape<typeof SegmentUsersRequestSchema>, { $typeName: string }>

const SCENE = { timeZone: 'UTC', anchorMs: 0 }
const DAY = { from: timestampFromMs(msOf('00:00')), to: timestampFromMs(msOf('2026-01-06T00:00:00Z')) }
const BOB_ID = '01930000-0000-7000-8000-0000000000b0'
const bob = { ...sampleProfile('bob', { anonymousIds: ['anon-bob'] }), profileId: BOB_ID }

async function list(
  fields: Fields,
  { projectId, run }: { projectId: ProjectId; run: QueryRunner },
): Promise<UserPage> {
  const request = create(SegmentUsersRequestSchema, { timeRange: DAY, events: [{}], ...fields })
  return await listSegmentUsers({ request, projectId, run })
}

describe('users', () => {
  let store: WorldStore
  const run: QueryRunner = async (query) => await store.run(query, AbortSignal.timeout(30_000))

  beforeAll(async () => {
    store = await openSharedWorldStore()
  })

  afterAll(async () => {
    await store.close()
  })

  async function load(events: readonly EventSample[]): Promise<ProjectId> {
    const world = sampleWorld(events, [bob])
    const projectId = await store.load({ seed: 0, world, copies: world.events, scene: SCENE, instants: [] })
    await store.settle()
    return projectId
  }

  test('are listed once each, ordered by bytes, under the external id if they have one', async () => {
    const projectId = await load([
      { at: '10:00', by: 'anon-bob' },
      { at: '10:01', by: BOB_ID },
      { at: '10:02', by: 'é' },
      { at: '10:03', by: 'Zoe' },
      { at: '10:04', by: 'anna', kind: 'buy' },
      { at: '10:05', by: 'cookieless-x', kind: 'buy' },
      { at: '2026-01-06T00:00:00Z', by: 'late' },
    ])
    const users = async (kinds: readonly string[]): Promise<readonly string[]> =>
      (await list({ events: kinds.map((kind) => ({ event: { kind } })) }, { projectId, run })).distinctIds
    expect(await users([''])).toEqual(['Zoe', 'anna', 'bob', 'é'])
    expect(await users(['buy'])).toEqual(['anna'])
    expect(await users(['view', 'buy', 'none'])).toEqual(['Zoe', 'anna', 'bob', 'é'])
    expect(await users(['none'])).toEqual([])
  })

  test('that arrive between pages appear on later pages and shift no others', async () => {
    const ids = Array.from({ length: 25 }, (_, index) => `user-${String(index * 2).padStart(2, '0')}`)
    const projectId = await load(ids.map((by) => ({ at: '10:00', by })))
    const page = async (pageToken: string): Promise<UserPage> =>
      await list({ pageSize: 10, pageToken }, { projectId, run })
    const first = await page('')
    await store.clickhouse.insert({
      table: 'events',
      format: 'JSONEachRow',
      values: ['user-01', 'user-21', 'user-49'].map((id) => ({
        project: projectId,
        kind: 'view',
        time: '2026-01-05 12:00:00.000',
        distinct_id: id,
      })),
    })
    const second = await page(first.nextPageToken)
    const third = await page(second.nextPageToken)
    expect(first.distinctIds).toEqual(ids.slice(0, 10))
    expect(second.distinctIds).toEqual([...ids.slice(10, 11), 'user-21', ...ids.slice(11, 19)])
    expect(third).toEqual({ distinctIds: [...ids.slice(19), 'user-49'], nextPageToken: '' })
  })

  test('a page that ends with the last user has no next page', async () => {
    const projectId = await load([
      { at: '10:00', by: 'a' },
      { at: '10:00', by: 'b' },
    ])
    expect(await list({ pageSize: 2 }, { projectId, run })).toEqual({
      distinctIds: ['a', 'b'],
      nextPageToken: '',
    })
  })
})

test('one statement groups the users of any of the events and names them', async () => {
  const statements: Statement[] = []
  const run: QueryRunner = async (query) => {
    statements.push(render(query.statement))
    return []
  }
  const events = [{ event: { kind: 'buy' } }, { event: { kind: 'view' } }]
  await list({ events, pageSize: 5 }, { projectId: asProjectId(9), run })
  expect(printStatements(...statements)).toMatchInlineSnapshot(`
    "
    SELECT if(external_id = '', id, external_id) AS shown
    FROM (
      SELECT dictGetOrDefault('identities', 'user_hash', user_hash, user_hash) AS user, any(distinct_id) AS id
      FROM events FINAL
      PREWHERE project = {p0:UInt32}
        AND indexHint(
          toDate(time) >= toDate(fromUnixTimestamp64Milli({p1:Int64}, 'UTC')),
          toDate(time) <= toDate(fromUnixTimestamp64Milli({p2:Int64}, 'UTC'))
        )
        AND time >= fromUnixTimestamp64Milli({p3:Int64}, 'UTC')
        AND time < fromUnixTimestamp64Milli({p4:Int64}, 'UTC')
        AND kind IN {p5:Array(String)}
      WHERE 1 AND NOT cookieless
      GROUP BY user
    ) AS users
    LEFT ANY JOIN (
      SELECT user_hash AS user, any(external_id) AS external_id
      FROM profiles
      WHERE project = {p6:UInt32}
      GROUP BY user
    ) AS names USING user
    ORDER BY shown
    LIMIT {p7:Int64}
    p0 = 9
    p1 = 1767571200000
    p2 = 1767657599999
    p3 = 1767571200000
    p4 = 1767657600000
    p5 = ["buy","view"]
    p6 = 9
    p7 = 6
    "
  `)
})

test.each<[field: string, fields: Fields]>([
  ['events', { events: [] }],
  ['events[0].aggregation', { events: [{ aggregation: AggregationType.PER_USER_AVG }] }],
  ['events[1].aggregation', { events: [{}, { aggregation: AggregationType.SUM, aggregationProperty: 'n' }] }],
  ['events[0].event.filters[0].property', { events: [{ event: { filters: [{ property: 'a b' }] } }] }],
  ['filterGroups[0].filters', { filterGroups: [{}] }],
  ['pageSize', { pageSize: 1001 }],
  ['pageSize', { pageSize: -1 }],
  ['pageToken', { pageToken: 'made up' }],
  ['timeRange.to', { timeRange: { from: DAY.from } }],
  ['timeRange', { timeRange: { from: DAY.to, to: DAY.from } }],
  ['timeRange', { timeRange: { from: timestampFromMs(0), to: timestampFromMs(3652 * 86_400_000 + 1) } }],
])('an invalid %s is rejected', async (field, fields) => {
  const call = { projectId: asProjectId(9), run: async () => [] }
  await expect(list(fields, call)).rejects.toMatchObject({
    code: 'invalid_argument',
    violations: [{ field }],
  })
})
