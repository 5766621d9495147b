import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type OwnEngine, startOwnEngine } from '../../../test/harness/own-engine.ts'
import { asProjectId } from '../../contract/ids.ts'
import type { ClickHouse } from './client.ts'
import { countDeliveries, type Delivery, eraseDeliveries, insertDeliveries } from './deliveries.ts'
import { readUserAliases } from './user-rows.ts'

const PROJECT = asProjectId(7)
const OTHER = asProjectId(8)
const NONE = { clicked: 0, dismissed: 0, failed: 0, received: 0, sent: 0 }
const NO_SIGNAL = new AbortController().signal

let store: OwnEngine
let clickhouse: ClickHouse

beforeAll(async () => {
  store = await startOwnEngine()
  clickhouse = store.clickhouse
})

beforeEach(async () => {
  for (const table of ['deliveries', 'device_users', 'identity_claims'])
    await clickhouse.command({ query: `TRUNCATE TABLE ${table}` })
})

afterAll(async () => {
  await store?.stop()
})

function delivery(fields: Partial<Delivery> = {}): Delivery {
  return {
    projectId: PROJECT,
    campaignId: 'spring',
    type: 'sent',
    messageId: 'm1',
    timeMs: Date.parse('2026-03-01T12:00:00.123Z'),
    platform: 'android',
    deviceId: 'd1',
    metadata: {},
    ...fields,
  }
}

async function insert(...deliveries: readonly Delivery[]): Promise<void> {
  await insertDeliveries(clickhouse, deliveries, NO_SIGNAL)
}

async function count(campaignId = 'spring', projectId = PROJECT) {
  return await countDeliveries(clickhouse, { projectId, campaignId }, NO_SIGNAL)
}

test('a delivery with hostile texts is stored unchanged', async () => {
  const hostile = `'"\\ {x:String} \n ✓`
  await insert(delivery({ deviceId: hostile, messageId: hostile, metadata: { [hostile]: hostile } }))
  const result = await clickhouse.query({
    query:
      'SELECT project, device_id, message_id, metadata, toString(time) AS time, platform FROM deliveries',
    format: 'JSONEachRow',
  })
  expect(await result.json()).toEqual([
    {
      project: PROJECT,
      device_id: hostile,
      message_id: hostile,
      metadata: { [hostile]: hostile },
      time: '2026-03-01 12:00:00.123',
      platform: 'android',
    },
  ])
})

test('a duplicate delivery event counts once, before and after merges', async () => {
  await insert(delivery(), delivery(), delivery({ type: 'clicked' }))
  await insert(delivery({ timeMs: 5, metadata: { a: 'b' } }), delivery({ messageId: 'm2' }))
  expect(await count()).toEqual({ ...NONE, sent: 2, clicked: 1 })
  await clickhouse.command({ query: 'OPTIMIZE TABLE deliveries FINAL' })
  expect(await count()).toEqual({ ...NONE, sent: 2, clicked: 1 })
  const rows = await clickhouse.query({
    query: 'SELECT toUInt32(count()) AS n FROM deliveries',
    format: 'JSONEachRow',
  })
  expect(await rows.json()).toEqual([{ n: 3 }])
})

test('a campaign counts only its own deliveries in its own project', async () => {
  await insert(
    delivery(),
    delivery({ campaignId: 'summer' }),
    delivery({ projectId: OTHER, messageId: 'm2' }),
  )
  expect(await count()).toEqual({ ...NONE, sent: 1 })
  expect(await count('summer')).toEqual({ ...NONE, sent: 1 })
  expect(await count('spring', OTHER)).toEqual({ ...NONE, sent: 1 })
  expect(await count('winter')).toEqual(NONE)
})

test('an erasure deletes the deliveries of the given devices and project only', async () => {
  await insert(
    delivery(),
    delivery({ type: 'clicked', campaignId: 'summer' }),
    delivery({ messageId: 'm2', deviceId: 'd2' }),
    delivery({ messageId: 'm3', deviceId: 'd3' }),
    delivery({ projectId: OTHER }),
  )
  await eraseDeliveries(clickhouse, { projectId: PROJECT, deviceIds: ['d1', 'd3', 'unknown'] })
  expect(await count()).toEqual({ ...NONE, sent: 1 })
  expect(await count('summer')).toEqual(NONE)
  expect(await count('spring', OTHER)).toEqual({ ...NONE, sent: 1 })
  await eraseDeliveries(clickhouse, { projectId: PROJECT, deviceIds: [] })
  expect(await count()).toEqual({ ...NONE, sent: 1 })
})

test('the text of an erasure has no device id in it', async () => {
  await insert(delivery({ deviceId: 'a-device-of-somebody' }))
  await eraseDeliveries(clickhouse, { projectId: PROJECT, deviceIds: ['a-device-of-somebody'] })
  const result = await clickhouse.query({
    query:
      "SELECT command FROM system.mutations WHERE table = 'deliveries' ORDER BY create_time DESC LIMIT 1",
    format: 'JSONEachRow',
  })
  const [row] = await result.json<{ readonly command: string }>()
  expect(row?.command).toContain('device_hash')
  expect(row?.command).not.toContain('a-device')
})

test('a user has the devices identified on last and the anonymous ids claimed first', async () => {
  const identifies = [
    ['ada', 'anon-1', 'd1'],
    ['ada', 'anon-2', 'd2'],
    ['bob', 'anon-2', 'd2'],
    ['bob', 'anon-3', 'd3'],
    ['ada', 'anon-3', ''],
  ].map(([external_id, anonymous_id, device_id], index) => ({
    project: PROJECT,
    external_id,
    anonymous_id,
    device_id,
    profile_id: `00000000-0000-0000-0000-00000000000${index}`,
    traits: {},
    received: (1_000_000 + index) * 1_000_000,
  }))
  const elsewhere = { ...identifies[0], project: OTHER, device_id: 'd9', anonymous_id: 'anon-9' }
  await clickhouse.insert({
    table: 'identifies',
    values: [...identifies, elsewhere],
    format: 'JSONEachRow',
    clickhouse_settings: { async_insert: 0 },
  })
  const { deviceIds, anonymousIds } = await readUserAliases(clickhouse, {
    projectId: PROJECT,
    externalId: 'ada',
  })
  expect(deviceIds).toEqual(['d1'])
  expect([...anonymousIds].sort()).toEqual(['anon-1', 'anon-2'])
  expect(await readUserAliases(clickhouse, { projectId: PROJECT, externalId: 'nobody' })).toEqual({
    deviceIds: [],
    anonymousIds: [],
  })
})
