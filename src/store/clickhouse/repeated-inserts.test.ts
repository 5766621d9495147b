import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DATABASE, type Engine, LOCAL_ACCESS, startEngine } from '../embedded/engine.ts'
import { type ClickHouse, insertJsonRows, openClickHouse } from './client.ts'
import { migrateClickHouse } from './migrate.ts'

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

const dataFolder = mkdtempSync(join(tmpdir(), 'millrace-repeated-inserts-'))
let engine: Engine
let clickhouse: ClickHouse

beforeAll(async () => {
  engine = await startEngine({ dataFolder })
  clickhouse = openClickHouse(
    { url: engine.url, database: DATABASE, username: engine.admin.user, password: engine.admin.password },
    { application: 'millrace-test', connectionsMax: 1, requestTimeoutMs: 30_000 },
  )
  await migrateClickHouse(clickhouse, LOCAL_ACCESS)
})

afterAll(async () => {
  await clickhouse.close()
  await engine.stop()
  rmSync(dataFolder, { recursive: true })
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
