import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../kernel/clock.ts'
import { createLogger } from '../../kernel/log.ts'
import { parseSettings } from '../../settings/settings.ts'
import { type ClickHouse, openClickHouse } from '../../store/clickhouse/client.ts'
import { migrateClickHouse } from '../../store/clickhouse/migrate.ts'
import { VISIT_LAYOUT } from '../../store/clickhouse/migrations/fold-visits.ts'
import { DATABASE, type Engine, LOCAL_ACCESS, startEngine } from '../../store/embedded/engine.ts'
import type { Check, Patient } from './check.ts'
import {
  checkClickHouse,
  checkClock,
  checkParts,
  checkSchema,
  checkTableSettings,
  checkVisits,
} from './clickhouse.ts'

const HOUR_MS = 3_600_000

const dataDir = mkdtempSync(join(tmpdir(), 'millrace-doctor-'))
let engine: Engine
let client: ClickHouse

beforeAll(async () => {
  engine = await startEngine({ dataFolder: dataDir })
  const { user, password } = engine.admin
  client = openClickHouse(
    { url: engine.url, database: DATABASE, username: user, password },
    { application: 'test', connectionsMax: 1, requestTimeoutMs: 30_000 },
  )
})

afterAll(async () => {
  await client?.close()
  await engine?.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

function patient(fields: Partial<Patient> = {}): Patient {
  const settings = parseSettings({ SERVICE_DATA_DIR: dataDir })
  if (!settings.ok) throw new Error(settings.error)
  return {
    settings: settings.value,
    clock: systemClock,
    log: createLogger({ role: 'test', level: 'silent' }),
    isServed: false,
    clickhouse: { status: 'answers', client },
    redis: undefined,
    ...fields,
  }
}

test('in an empty ClickHouse the schema is old and the checks of tables are skipped', async () => {
  expect(await checkClickHouse(patient())).toMatchObject({ status: 'ok' })
  expect(await checkSchema(patient())).toMatchObject({ status: 'warn' })
  expect(await checkTableSettings(patient())).toMatchObject({ status: 'skip' })
  expect(await checkParts(patient())).toMatchObject({ status: 'skip' })
})

test.each([
  ['ahead of', -HOUR_MS],
  ['behind', HOUR_MS],
])('a ClickHouse whose clock is %s ours is a warning', async (words, skewMs) => {
  const clock = { nowMs: () => systemClock.nowMs() + skewMs }
  expect(await checkClock(patient())).toMatchObject({ status: 'ok' })
  expect(await checkClock(patient({ clock }))).toEqual({
    status: 'warn',
    // Less what the reading took.
    text: expect.stringMatching(new RegExp(`(?:3600|359\\d)\\.\\d s ${words} this machine's`)),
  })
})

test('the tables of this release pass, and a missing setting fails', async () => {
  await migrateClickHouse(client, LOCAL_ACCESS)
  expect(await checkSchema(patient())).toMatchObject({ status: 'ok' })
  expect(await checkTableSettings(patient())).toMatchObject({ status: 'ok' })
  await client.command({ query: 'ALTER TABLE events MODIFY SETTING fsync_after_insert = 0' })
  expect(await checkTableSettings(patient())).toEqual({
    status: 'fail',
    text: expect.stringContaining('fsync_after_insert (at least 1)'),
  })
  await client.command({ query: 'ALTER TABLE events MODIFY SETTING fsync_after_insert = 1' })
})

test('visits that are up to date pass, also while earlier ones are computed, and arrivals that wait are a warning', async () => {
  const cover = async (version: number, values: string): Promise<void> => {
    await client.command({
      query: `INSERT INTO visit_coverage SELECT ${version}, ${values}, 0, ${VISIT_LAYOUT}`,
    })
  }
  expect(await checkVisits(patient())).toMatchObject({
    status: 'ok',
    text: expect.stringContaining('no visits'),
  })
  await client.command({
    query: `INSERT INTO session_arrivals SELECT now64(3) - INTERVAL 20 MINUTE, 1, generateUUIDv4()`,
  })
  await cover(1, `now64(3) - INTERVAL 1 HOUR, fromUnixTimestamp64Milli(0)`)
  expect(await checkVisits(patient())).toMatchObject({
    status: 'warn',
    text: expect.stringContaining('wait for 20 minutes'),
  })
  await cover(2, `now64(3), toDateTime64('2026-03-04 00:00:00', 3, 'UTC')`)
  expect(await checkVisits(patient())).toMatchObject({
    status: 'ok',
    text: expect.stringContaining('before 2026-03-04'),
  })
  await cover(3, `now64(3), fromUnixTimestamp64Milli(0)`)
  expect(await checkVisits(patient())).toEqual({ status: 'ok', text: 'visits are up to date' })
  const off = { ...patient().settings, visits: 'off' as const }
  expect(await checkVisits(patient({ settings: off }))).toMatchObject({
    status: 'ok',
    text: expect.stringContaining('is off'),
  })
})

test('a partition of more than 300 parts is a warning', async () => {
  expect(await checkParts(patient())).toEqual({ status: 'ok', text: 'no events yet' })
  await client.command({ query: 'SYSTEM STOP MERGES events' })
  await client.command({
    query: "INSERT INTO events (project, kind, time, distinct_id) VALUES (1, 'x', '2026-02-01', 'a')",
  })
  expect(await checkParts(patient())).toEqual({
    status: 'ok',
    text: '1 active part in the partition 202602, the fullest one',
  })
  await dropViews()
  // One part for each row.
  await client.command({
    query: `INSERT INTO events (project, kind, time, distinct_id) SELECT 1, 'x', '2026-01-01', toString(number)
      FROM numbers(301) SETTINGS max_block_size = 1, min_insert_block_size_rows = 1, min_insert_block_size_bytes = 1`,
  })
  expect(await checkParts(patient())).toEqual({
    status: 'warn',
    text: expect.stringMatching(/^301 active parts in the partition 202601/),
  })
})

/** Views would write each of many small INSERTs to their tables too. */
async function dropViews(): Promise<void> {
  const query =
    "SELECT name FROM system.tables WHERE database = currentDatabase() AND engine = 'MaterializedView'"
  const views = await (await client.query({ query, format: 'JSONEachRow' })).json<{ readonly name: string }>()
  expect(views).not.toEqual([])
  for (const { name } of views) await client.command({ query: `DROP VIEW ${name}` })
}

test('a silent server fails once, a stopped engine is skipped, and an edge without ClickHouse fails', async () => {
  const all: readonly Check[] = [checkClickHouse, checkSchema, checkTableSettings, checkClock, checkParts]
  const statuses = async (of: Patient): Promise<readonly string[]> =>
    await Promise.all(all.map(async (check) => (await check(of)).status))
  const silent = patient({ clickhouse: { status: 'silent', error: 'connect ECONNREFUSED' } })
  expect(await statuses(silent)).toEqual(['fail', 'skip', 'skip', 'skip', 'skip'])
  const absent = patient({ clickhouse: { status: 'absent' } })
  expect(await statuses(absent)).toEqual(['skip', 'skip', 'skip', 'skip', 'skip'])
  const edge = patient({
    clickhouse: { status: 'absent' },
    settings: { ...absent.settings, roles: ['edge'] },
  })
  expect(await statuses(edge)).toEqual(['fail', 'fail', 'fail', 'fail', 'fail'])
})
