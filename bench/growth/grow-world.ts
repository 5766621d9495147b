import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ClickHouseLogLevel, createClient } from '@clickhouse/client'
import type { ClickHouse } from '../../src/store/clickhouse/client.ts'
import { migrateClickHouse } from '../../src/store/clickhouse/migrate.ts'
import { DATABASE, LOCAL_ACCESS, startEngine } from '../../src/store/embedded/engine.ts'
import {
  DEVICES_PER_PERSON,
  deviceId,
  isMember,
  memberId,
  personCount,
  sessionCount,
  type TrafficPlan,
  trafficSql,
} from '../insights/world/traffic.ts'
import { markWorld } from '../insights/world/world.ts'
import { processCpuSeconds } from '../rig/cpu.ts'
import { foldEveryVisit } from '../rig/fold-visits.ts'
import { Teardown } from '../teardown.ts'
import type { Figure } from './growth-table.ts'

/** What is to be in a data folder, whose service does not run. */
export interface Target {
  readonly folder: string
  readonly events: number
  /** The ids of the projects that share the events. */
  readonly projects: readonly number[]
}

const MILLION = 1_000_000
/** Larger than those of a service: how the parts of a month were made is not measured, they become one. */
const ROWS_PER_INSERT = 500_000
const STATEMENT_MS_MAX = 3_600_000

interface WorldEngine {
  readonly clickhouse: ClickHouse
  cpuSeconds(): number
}

/**
 * Adds events until a folder has as many as wanted, through the engine itself. They come from the traffic of the insights benchmark, each time
 * of other people over the same sixty days; views fill the other tables as they do for events that are sent. Months become one part each, and
 * visits are computed, as the service would have done within some hours.
 */
export async function growWorld(target: Target): Promise<readonly Figure[]> {
  mkdirSync(target.folder, { recursive: true })
  const grown = readGrown(target.folder)
  if (grown === target.events) return []
  if (grown > target.events) throw new Error(`${target.folder} has ${grown} events already: remove it`)
  const teardown = new Teardown()
  try {
    const engine = await openEngine(target.folder, teardown)
    return await addEvents(engine, target, grown)
  } finally {
    await teardown.run()
  }
}

async function addEvents(engine: WorldEngine, target: Target, grown: number): Promise<readonly Figure[]> {
  const { clickhouse } = engine
  const millions = (target.events - grown) / MILLION
  const figures: Figure[] = []
  const spend = async (name: string, work: () => Promise<void>): Promise<void> => {
    const before = engine.cpuSeconds()
    await work()
    figures.push({ name, unit: 'µs CPU/event', value: (engine.cpuSeconds() - before) / millions })
  }
  await clickhouse.command({ query: 'SYSTEM STOP MERGES events' })
  await insertTraffic(clickhouse, target, grown)
  await insertPeople(clickhouse, target, grown)
  writeFileSync(manifestPath(target.folder), JSON.stringify({ events: target.events }))
  await clickhouse.command({ query: 'SYSTEM START MERGES events' })
  await mergeMonths(clickhouse, 'events')
  await spend('computing visits, once for all new events', async () => await foldEveryVisit(clickhouse))
  await mergeMonths(clickhouse, 'visits')
  await clickhouse.command({ query: 'SYSTEM RELOAD DICTIONARY identities' })
  markWorld(target.folder, { events: target.events, project: target.projects[0] ?? 1 })
  return figures
}

async function openEngine(folder: string, teardown: Teardown): Promise<WorldEngine> {
  const engine = await startEngine({ dataFolder: folder })
  teardown.defer(async () => await engine.stop())
  const { url, admin } = engine
  const clickhouse = createClient({
    url,
    username: admin.user,
    password: admin.password,
    database: DATABASE,
    request_timeout: STATEMENT_MS_MAX,
    log: { level: ClickHouseLogLevel.OFF },
    compression: { request: false, response: false },
    clickhouse_settings: { max_insert_block_size: '500000', max_execution_time: 0 },
  })
  teardown.defer(async () => await clickhouse.close())
  await migrateClickHouse(clickhouse, LOCAL_ACCESS)
  return { clickhouse, cpuSeconds: () => processCpuSeconds(engine.pid) }
}

function manifestPath(folder: string): string {
  return join(folder, 'growth.json')
}

/** Events that a folder has so far. After an interruption the same events are inserted again, and collapse. */
function readGrown(folder: string): number {
  if (!existsSync(manifestPath(folder))) return 0
  return (JSON.parse(readFileSync(manifestPath(folder), 'utf8')) as { readonly events: number }).events
}

/** People of one growth are not those of another. */
function prefixOf(grown: number): string {
  return grown === 0 ? '' : `${grown / MILLION}-`
}

async function insertTraffic(clickhouse: ClickHouse, target: Target, grown: number): Promise<void> {
  const plan: TrafficPlan = { events: target.events - grown, project: 1 }
  const sessions = sessionCount(plan)
  const count = Math.ceil(plan.events / ROWS_PER_INSERT)
  const columns = await readColumns(clickhouse, trafficSql(plan, { from: 0, to: 1 }, 'first'))
  for (let block = 0; block < count; block++) {
    const from = Math.round((sessions * block) / count)
    const to = Math.round((sessions * (block + 1)) / count)
    const rows = `SELECT ${columns.join(', ')} FROM (${othersSql(trafficSql(plan, { from, to }, 'first'), target, grown)})`
    await clickhouse.command({ query: `INSERT INTO events (${columns.join(', ')}) ${rows}` })
  }
}

/** The rows with ids of this growth, their sessions shared out among the projects. */
function othersSql(rows: string, { projects }: Target, grown: number): string {
  const unique = (column: string): string => `reinterpretAsUUID(sipHash128(${grown}, ${column})) AS ${column}`
  const project = `arrayElement([${projects.join(', ')}], cityHash64(session_id) % ${projects.length} + 1)`
  const changes = [
    `toUInt32(${project}) AS project`,
    unique('session_id'),
    unique('event_id'),
    `concat('${prefixOf(grown)}', distinct_id) AS distinct_id`,
  ]
  return `SELECT * REPLACE (${changes.join(', ')}) FROM (${rows})`
}

async function readColumns(clickhouse: ClickHouse, rows: string): Promise<readonly string[]> {
  const result = await clickhouse.query({
    query: `DESCRIBE (SELECT * FROM (${rows}))`,
    format: 'JSONEachRow',
  })
  return (await result.json<{ name: string }>()).map(({ name }) => name)
}

/** Identify calls of the members, in the first project: each with a device before the first sign-in, and two traits. */
async function insertPeople(clickhouse: ClickHouse, target: Target, grown: number): Promise<void> {
  const plan: TrafficPlan = { events: target.events - grown, project: 1 }
  const prefix = prefixOf(grown)
  const external = `concat('${prefix}', ${memberId('person')})`
  await clickhouse.command({
    query: `INSERT INTO identifies (project, external_id, profile_id, anonymous_id, device_id, traits, received)
      SELECT toUInt32(${target.projects[0]}), ${external} AS external, reinterpretAsUUID(sipHash128('profile', external)),
        concat('${prefix}', ${deviceId('person', `number % ${DEVICES_PER_PERSON}`)}), '',
        map('name', toJSONString(concat('Customer ', toString(person))), 'plan', '"team"'), toUnixTimestamp64Micro(now64(6))
      FROM (SELECT number, toUInt32(intDiv(number, ${DEVICES_PER_PERSON})) AS person
        FROM numbers(${personCount(plan) * DEVICES_PER_PERSON}) WHERE ${isMember('person')})`,
  })
}

/** Makes one part of each month, which the engine does itself an hour after the last of them was written. */
async function mergeMonths(clickhouse: ClickHouse, table: 'events' | 'visits'): Promise<void> {
  const result = await clickhouse.query({
    query: `SELECT DISTINCT partition_id AS id FROM system.parts WHERE active AND database = currentDatabase() AND table = '${table}' ORDER BY id`,
    format: 'JSONEachRow',
  })
  for (const { id } of await result.json<{ readonly id: string }>()) {
    await clickhouse.command({ query: `OPTIMIZE TABLE ${table} PARTITION ID '${id}' FINAL` })
  }
}
