import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { holdFold } from '../../../test/harness/held-fold.ts'
import { type OwnEngine, startOwnEngine } from '../../../test/harness/own-engine.ts'
import { asProjectId } from '../../contract/ids.ts'
import type { ClickHouse } from './client.ts'
import { countProjectRows, eraseProjectRows, listProjectTables } from './project-rows.ts'

const GONE = asProjectId(7)
const STAYS = asProjectId(8)

let store: OwnEngine
let clickhouse: ClickHouse

beforeAll(async () => {
  store = await startOwnEngine()
  clickhouse = store.clickhouse
  // Rows without a time have expired.
  await clickhouse.command({ query: 'SYSTEM STOP TTL MERGES' })
})

beforeEach(async () => {
  for (const table of await listProjectTables(clickhouse))
    await clickhouse.command({ query: `TRUNCATE TABLE ${table}` })
})

afterAll(async () => {
  await store?.stop()
})

/** A row of the project in every table with rows of projects; the values are irrelevant. */
async function fill(project: number): Promise<void> {
  for (const table of await listProjectTables(clickhouse))
    await clickhouse.command({ query: `INSERT INTO ${table} (project) VALUES (${project})` })
}

async function readStoredTables(): Promise<string[]> {
  const result = await clickhouse.query({
    query:
      "SELECT name FROM system.tables WHERE database = currentDatabase() AND engine NOT IN ('MaterializedView', 'View', 'Dictionary', 'Null') AND NOT is_temporary ORDER BY name",
    format: 'JSONEachRow',
  })
  return (await result.json<{ name: string }>()).map(({ name }) => name)
}

test('every table has rows of projects, except those about the tables themselves', async () => {
  const tables = await listProjectTables(clickhouse)
  expect(tables).toContain('events')
  expect([...tables, 'migrations', 'visit_coverage'].sort()).toEqual(await readStoredTables())
})

test('an erasure leaves no row of the project in any table, and all rows of others', async () => {
  await fill(GONE)
  await fill(STAYS)
  const before = await countProjectRows(clickhouse, STAYS)
  expect([...before.keys()]).toEqual(await listProjectTables(clickhouse))
  await eraseProjectRows(clickhouse, { projectId: GONE, signal: new AbortController().signal })
  expect(await countProjectRows(clickhouse, GONE)).toEqual(new Map())
  expect(await countProjectRows(clickhouse, STAYS)).toEqual(before)
})

test('an interrupted erasure is finished by the next one', async () => {
  await fill(GONE)
  const interruption = new AbortController()
  const first = eraseProjectRows(clickhouse, { projectId: GONE, signal: interruption.signal })
  interruption.abort(new Error('the process stops'))
  await expect(first).rejects.toThrow()
  await eraseProjectRows(clickhouse, { projectId: GONE, signal: new AbortController().signal })
  expect(await countProjectRows(clickhouse, GONE)).toEqual(new Map())
})

test('an erasure waits for a computation of visits that may have read events', async () => {
  await fill(GONE)
  const held = await holdFold(clickhouse)
  const erased = eraseProjectRows(held.watched, { projectId: GONE, signal: AbortSignal.timeout(60_000) })
  try {
    expect(await Promise.race([erased, held.looked])).toBe('waits')
  } finally {
    await held.end()
  }
  await erased
  expect(await countProjectRows(clickhouse, GONE)).toEqual(new Map())
})
