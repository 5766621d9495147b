import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { sleep } from '../../../src/kernel/clock.ts'
import type { ClickHouse } from '../../../src/store/clickhouse/client.ts'
import { migrateClickHouse, SCHEMA_VERSION } from '../../../src/store/clickhouse/migrate.ts'
import { DATABASE, LOCAL_ACCESS, startEngine } from '../../../src/store/embedded/engine.ts'
import type { Teardown } from '../../teardown.ts'
import { PEER_MERGES, PEER_TABLES } from './peers.ts'
import { type Merges, peopleSql } from './people.ts'
import { type SessionRange, sessionCount, TRAFFIC_VERSION, type TrafficPlan, trafficSql } from './traffic.ts'

/** An engine with the traffic in it, in our layout and in the peers'. */
export interface World {
  readonly plan: TrafficPlan
  readonly enginePid: number
  readonly clickhouse: ClickHouse
  /** Makes others out of the people: see {@link Merges}. */
  become(merges: Merges): Promise<void>
}

/** How a world is opened. */
export interface WorldOptions {
  readonly plan: TrafficPlan
  /** A folder that is kept; a temporary one when left out. */
  readonly folder: string | undefined
  /** Threads of every query. */
  readonly threads: number
  readonly onProgress: (line: string) => void
}

/** One INSERT of the service has about as many rows. */
const ROWS_PER_INSERT = 100_000

/** Peers' rows come in fewer INSERTs: how their parts were made is not what is compared. */
const ROWS_PER_PEER_INSERT = 500_000

const MERGE_MS_MAX = 600_000
const LOOK_EVERY_MS = 500

/** Opens a world, and builds it first where there is none. Throws when the folder holds another one. */
export async function openWorld(options: WorldOptions, teardown: Teardown): Promise<World> {
  const { plan } = options
  const folder = options.folder ?? teardown.temporaryFolder()
  mkdirSync(folder, { recursive: true })
  const isBuilt = checkFolder(folder, plan)
  const { clickhouse, enginePid } = await startWorldEngine({ folder, threads: options.threads }, teardown)
  if (!isBuilt) {
    await build(clickhouse, options)
    writeFileSync(manifestPath(folder), manifestOf(plan))
  }
  return {
    plan,
    clickhouse,
    enginePid,
    become: async (merges) => await becomePeople(clickhouse, plan, merges),
  }
}

/** Whether the folder holds the traffic of the plan. Throws when it holds anything else. */
function checkFolder(folder: string, plan: TrafficPlan): boolean {
  const path = manifestPath(folder)
  if (!existsSync(path)) {
    if (readdirSync(folder).length > 0) throw new Error(`${folder} is neither empty nor a finished world`)
    return false
  }
  const held = readFileSync(path, 'utf8')
  if (held === manifestOf(plan)) return true
  throw new Error(`${folder} holds ${held}, not ${manifestOf(plan)}: remove it`)
}

/** Whether a folder holds a finished world, of any release: the service migrates an earlier one when it starts. */
export function holdsWorld(folder: string): boolean {
  return existsSync(manifestPath(folder))
}

/** Lets other benchmarks open a folder that was filled elsewhere; it has no layouts of peers. */
export function markWorld(folder: string, plan: TrafficPlan): void {
  writeFileSync(manifestPath(folder), manifestOf(plan))
}

function manifestPath(folder: string): string {
  return join(folder, 'traffic.json')
}

function manifestOf(plan: TrafficPlan): string {
  return JSON.stringify({ version: TRAFFIC_VERSION, schema: SCHEMA_VERSION, ...plan })
}

async function startWorldEngine(
  { folder, threads }: { readonly folder: string; readonly threads: number },
  teardown: Teardown,
): Promise<Pick<World, 'clickhouse' | 'enginePid'>> {
  const engine = await startEngine({ dataFolder: folder })
  teardown.defer(async () => await engine.stop())
  const { url, admin } = engine
  const clickhouse = createClient({
    url,
    username: admin.user,
    password: admin.password,
    database: DATABASE,
    request_timeout: MERGE_MS_MAX,
    log: { level: ClickHouseLogLevel.OFF },
    compression: { request: false, response: false },
    // A real dashboard's range moves on: the engine's caches of the previous query would flatter every time.
    clickhouse_settings: { max_threads: threads, use_query_condition_cache: 0, use_query_cache: 0 },
  })
  teardown.defer(async () => await clickhouse.close())
  await migrateClickHouse(clickhouse, LOCAL_ACCESS)
  return { clickhouse, enginePid: engine.pid }
}

async function build(clickhouse: ClickHouse, { plan, onProgress }: WorldOptions): Promise<void> {
  onProgress(`making ${plan.events} events`)
  await clickhouse.command({ query: PINNED_PARTS })
  const columns = await readColumns(
    clickhouse,
    `SELECT * FROM (${trafficSql(plan, { from: 0, to: 1 }, 'first')})`,
  )
  for (const source of blocks(plan, ROWS_PER_INSERT)) {
    await clickhouse.command({ query: `INSERT INTO events (${columns.join(', ')}) ${source}` })
  }
  for (const { table, columns, layout, load, title } of Object.values(PEER_TABLES)) {
    onProgress(`loading the layout of ${title}`)
    await clickhouse.command({ query: `CREATE OR REPLACE TABLE ${table} (${columns}) ENGINE = ${layout}` })
    for (const source of blocks(plan, ROWS_PER_PEER_INSERT)) {
      await clickhouse.command({ query: `INSERT INTO ${table} SELECT ${load} FROM (${source})` })
    }
  }
  onProgress('merging')
  await untilMerged(clickhouse)
  await mergePastMonths(clickhouse)
}

/** Merging a month into one part an hour after its last insert is done by the build: figures must not depend on waiting. */
const PINNED_PARTS = 'ALTER TABLE events MODIFY SETTING min_age_to_force_merge_seconds = 0'

/** INSERTs in the order of time; what clients sent again comes one block late. */
function blocks(plan: TrafficPlan, rows: number): readonly string[] {
  const sessions = sessionCount(plan)
  const count = Math.ceil(plan.events / rows)
  const range = (index: number): SessionRange => ({
    from: Math.round((sessions * index) / count),
    to: Math.round((sessions * (index + 1)) / count),
  })
  return Array.from({ length: count }, (_, index) => {
    const retried = index === 0 ? '' : ` UNION ALL ${trafficSql(plan, range(index - 1), 'retried')}`
    return `${trafficSql(plan, range(index), 'first')}${retried}`
  })
}

async function readColumns(clickhouse: ClickHouse, query: string): Promise<readonly string[]> {
  const result = await clickhouse.query({ query: `DESCRIBE (${query})`, format: 'JSONEachRow' })
  return (await result.json<{ name: string }>()).map(({ name }) => name)
}

/** The months before the last one become one part each, as the table's settings would make them within an hour. */
async function mergePastMonths(clickhouse: ClickHouse): Promise<void> {
  const result = await clickhouse.query({
    query: `SELECT DISTINCT partition FROM system.parts WHERE active AND database = currentDatabase() AND table = 'events' ORDER BY partition`,
    format: 'JSONEachRow',
  })
  const months = (await result.json<{ partition: string }>()).map(({ partition }) => partition)
  for (const month of months.slice(0, -1)) {
    await clickhouse.command({ query: `OPTIMIZE TABLE events PARTITION ID '${month}' FINAL` })
  }
}

async function untilMerged(clickhouse: ClickHouse): Promise<void> {
  for (let quietLooks = 0; quietLooks < 3; ) {
    const result = await clickhouse.query({
      query: 'SELECT count() AS merges FROM system.merges',
      format: 'JSONEachRow',
    })
    const [row] = await result.json<{ merges: string | number }>()
    quietLooks = Number(row?.merges ?? 0) === 0 ? quietLooks + 1 : 0
    await sleep(LOOK_EVERY_MS)
  }
}

async function becomePeople(clickhouse: ClickHouse, plan: TrafficPlan, merges: Merges): Promise<void> {
  const empty = ['profiles', 'identity_claims'].map((table) => `TRUNCATE TABLE ${table}`)
  const settled = ['OPTIMIZE TABLE profiles FINAL', 'OPTIMIZE TABLE identity_claims FINAL']
  const reload = 'SYSTEM RELOAD DICTIONARY identities'
  for (const query of [...empty, ...peopleSql(plan, merges), ...settled, ...PEER_MERGES, reload]) {
    await clickhouse.command({ query })
  }
}
