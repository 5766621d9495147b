import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OwnEngine, startOwnEngine } from '../../../test/harness/own-engine.ts'
import { type ClickHouse, insertJsonRows } from './client.ts'

const TABLES = ['device_users', 'identity_claims', 'profiles', 'traits']

const CALL = {
  project: 1,
  external_id: 'ada',
  profile_id: '00000000-0000-7000-8000-000000000001',
  anonymous_id: 'visitor',
  device_id: 'phone',
  traits: { plan: 'pro' },
  received: 1_768_910_400_000_000,
}

let store: OwnEngine
let clickhouse: ClickHouse

beforeAll(async () => {
  store = await startOwnEngine()
  clickhouse = store.clickhouse
})

afterAll(async () => {
  await store?.stop()
})

async function countParts(): Promise<Record<string, number>> {
  const result = await clickhouse.query({
    query: `SELECT table, toUInt32(count()) AS parts FROM system.parts
      WHERE active AND table IN ({tables:Array(String)}) GROUP BY table ORDER BY table`,
    query_params: { tables: TABLES },
    format: 'JSONEachRow',
  })
  const rows = await result.json<{ table: string; parts: number }>()
  return Object.fromEntries(rows.map(({ table, parts }) => [table, parts]))
}

// A retry repeats an INSERT to the byte, and the first one may have failed after the engine had taken note of it.
test('an INSERT that repeats an earlier one is stored again in every table behind it', async () => {
  await clickhouse.command({ query: 'SYSTEM STOP MERGES' })
  const blocks = [Buffer.from(`${JSON.stringify(CALL)}\n`)]
  await insertJsonRows(clickhouse, { table: 'identifies', blocks, id: 'segment' })
  await insertJsonRows(clickhouse, { table: 'identifies', blocks, id: 'segment' })
  expect(await countParts()).toEqual(Object.fromEntries(TABLES.map((table) => [table, 2])))
})
