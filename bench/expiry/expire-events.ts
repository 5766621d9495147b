// What an organisation of 50 projects with 20 million events of 400 days costs: to count its events (`UsageService.GetUsage`), from events
// and from kept days, and to delete what expires when each project keeps its events for another number of days.
import { parseArgs } from 'node:util'
import { asProjectId, type ProjectId } from '../../src/contract/ids.ts'
import { monotonicMs } from '../../src/kernel/clock.ts'
import { CELLS_PER_FILL_MAX, DayKeeper } from '../../src/query/days/day-keeper.ts'
import { createInsertFound } from '../../src/query/sql/execute.ts'
import type { QueryRunner } from '../../src/query/sql/select.ts'
import { compileUsage } from '../../src/query/usage/count-usage.ts'
import { readCellSpace } from '../../src/store/clickhouse/day-cells.ts'
import { deleteExpired } from '../../src/store/clickhouse/expired-events.ts'
import { CELLS_ID_PREFIX } from '../../src/store/clickhouse/running-folds.ts'
import { untilArrivalsCovered } from '../../test/harness/fold-visits.ts'
import { processCpuSeconds } from '../rig/cpu.ts'
import { runCommand } from '../rig/run-command.ts'
import { type BenchStore, startStore } from '../rig/store.ts'
import { median } from '../summary.ts'
import type { Teardown } from '../teardown.ts'

const DAY_MS = 24 * 3_600_000
const DAYS = 400
const PROJECTS = 50
const TO_MS = Date.UTC(2026, 2, 1)
const RANGE = { fromMs: TO_MS - DAYS * DAY_MS, toMs: TO_MS }
const INSERTED_AT_ONCE = 100_000
const ROUNDS = 3
const WAIT_MS_MAX = 20 * 60_000

/** The defaults of the service. */
const LIMITS = {
  timeoutSeconds: 30,
  memoryBytesMax: 1024 ** 3,
  readRowsMax: 1e9,
  resultRowsMax: 1_000_000,
  resultBytesMax: 256 * 1024 * 1024,
}

const { values: options } = parseArgs({
  options: { events: { type: 'string', default: '20000000' }, help: { type: 'boolean' } },
})
const EVENTS = Number(options.events)

await runCommand('npm run bench:expiry -- [--events <number>]', measure)

async function measure(teardown: Teardown): Promise<void> {
  const store = await startStore(teardown)
  await fill(store)
  await reportUsage(store, 'just arrived')
  await merge(store)
  await reportUsage(store, 'merged months')
  await reportKept(store)
  await reportExpiry(store)
}

/** Half of the events are those of the first project, the others are spread evenly. */
async function fill({ clickhouse }: BenchStore): Promise<void> {
  for (let from = 0; from < EVENTS; from += INSERTED_AT_ONCE) {
    const count = Math.min(INSERTED_AT_ONCE, EVENTS - from)
    await clickhouse.command({
      query: `INSERT INTO events (project, kind, time, distinct_id, session_id, event_id, url, pathname, referrer, browser, os, country, strings, doubles)
        SELECT if(n % 2 = 0, 1, 1 + intDiv(n, 2) % ${PROJECTS}), ['page_view', 'page_view', 'click', 'purchase'][1 + n % 4],
          toDateTime64(${RANGE.fromMs / 1000} + toFloat64(n) / ${EVENTS} * ${(RANGE.toMs - RANGE.fromMs) / 1000}, 3, 'UTC'),
          concat('visitor-', toString(cityHash64(intDiv(n, 8)) % 500000)), reinterpretAsUUID(MD5(toString(intDiv(n, 8)))),
          generateUUIDv4(), concat('https://shop.example.org/products/', toString(cityHash64(n) % 3000), '?from=list'),
          concat('/products/', toString(cityHash64(n) % 3000)), 'https://www.google.com/', ['Chrome', 'Safari', 'Firefox'][1 + n % 3], 'macOS', 'DE',
          map('plan', 'pro', 'sku', toString(cityHash64(n) % 10000)), map('price', toFloat64(n % 1000))
        FROM (SELECT number + ${from} AS n FROM numbers(${count}))`,
      clickhouse_settings: { insert_deduplicate: 0, max_partitions_per_insert_block: '0' },
    })
  }
  await untilArrivalsCovered(clickhouse)
}

async function merge({ clickhouse }: BenchStore): Promise<void> {
  const startMs = monotonicMs()
  await clickhouse.command({
    query: 'OPTIMIZE TABLE events FINAL SETTINGS optimize_skip_merged_partitions = 1',
  })
  print('seconds of merging every month into one part', (monotonicMs() - startMs) / 1000)
}

/** A project with half of the events, and all 50, of which four are counted at a time. */
async function reportUsage(store: BenchStore, state: string): Promise<void> {
  const count = async (project: ProjectId): Promise<number> => {
    const days = await store.run(compileUsage(project, RANGE), AbortSignal.timeout(WAIT_MS_MAX))
    return days.reduce((sum, { count: events }) => sum + events, 0)
  }
  await reportCost(store, `one project, ${state}`, async () => await count(asProjectId(1)))
  await reportCost(store, `${PROJECTS} projects, ${state}`, async () => await countAll(count))
}

async function countAll(count: (project: ProjectId) => Promise<number>): Promise<number> {
  const left = Array.from({ length: PROJECTS }, (_, index) => asProjectId(index + 1)).values()
  let sum = 0
  const work = async (): Promise<void> => {
    for (const project of left) {
      const found = await count(project)
      sum += found
    }
  }
  await Promise.all(Array.from({ length: 4 }, work))
  return sum
}

/** The same with kept days, once they are stored. */
async function reportKept(store: BenchStore): Promise<void> {
  const keeper = new DayKeeper({
    insertFound: createInsertFound(store.clickhouse, LIMITS, {
      idPrefix: CELLS_ID_PREFIX,
      groupsMax: CELLS_PER_FILL_MAX,
    }),
    readCellSpace: async (signal) => await readCellSpace(store.clickhouse, signal),
    storedBytesMax: 2 ** 40,
    isBusy: () => false,
    storesFrom: 'first asking',
    stateMs: 0,
    isOneNode: true,
    rowsMin: 0,
    storedEventsMin: 0,
    lagMs: 0,
    retentionDays: 0,
    log: { debug: () => undefined },
  })
  const count = async (project: ProjectId): Promise<number> => {
    let rows = 0
    const run: QueryRunner = async (query) =>
      await store.run(query, AbortSignal.timeout(WAIT_MS_MAX), (cost) => {
        rows += cost.readRows
      })
    const { days, ...query } = compileUsage(project, RANGE)
    if (!days) throw new Error('the days cannot be kept')
    const found = await keeper.answer({ ...query, days }, run, () => rows)
    return found.reduce((sum, { count: events }) => sum + events, 0)
  }
  await countAll(count)
  await keeper.settle()
  await reportCost(store, 'one project, kept days', async () => await count(asProjectId(1)))
  await reportCost(store, `${PROJECTS} projects, kept days`, async () => await countAll(count))
  await keeper.stop()
}

async function reportCost(store: BenchStore, name: string, call: () => Promise<number>): Promise<void> {
  const times: number[] = []
  const cpu: number[] = []
  let found = 0
  for (let round = 0; round < ROUNDS; round++) {
    const [startMs, before] = [monotonicMs(), processCpuSeconds(store.enginePid)]
    found = await call()
    times.push(monotonicMs() - startMs)
    cpu.push((processCpuSeconds(store.enginePid) - before) * 1000)
  }
  process.stdout.write(
    `ms to count ${name} (${found}): ${median(times).toFixed(0)}, CPU of the engine ${median(cpu).toFixed(0)}\n`,
  )
}

/** Project p keeps 30 + 7 p days; a week later each has lost seven days more. */
async function reportExpiry(store: BenchStore): Promise<void> {
  const keptAfter = (weeks: number) =>
    Array.from({ length: PROJECTS }, (_, index) => ({
      projectId: asProjectId(index + 1),
      day: new Date(TO_MS - (30 + 7 * (index + 1) - 7 * weeks) * DAY_MS).toISOString().slice(0, 10),
    }))
  for (const [name, weeks] of [
    ['the first run', 0],
    ['a run without expired events', 0],
    ['the run a week later', 1],
  ] as const) {
    const [startMs, before] = [monotonicMs(), processCpuSeconds(store.enginePid)]
    const bytes = await tableBytes(store)
    const signal = AbortSignal.timeout(WAIT_MS_MAX)
    const { eventRows, partitionCount } = await deleteExpired(store.clickhouse, {
      kept: keptAfter(weeks),
      signal,
    })
    const seconds = ((monotonicMs() - startMs) / 1000).toFixed(1)
    const cpu = (processCpuSeconds(store.enginePid) - before).toFixed(1)
    process.stdout.write(
      `expiry, ${name}: ${eventRows} rows in ${partitionCount} partitions of a table of ${bytes} MiB, ${seconds} s, CPU of the engine ${cpu} s\n`,
    )
  }
}

async function tableBytes({ clickhouse }: BenchStore): Promise<number> {
  const result = await clickhouse.query({
    query: `SELECT toUInt32(sum(bytes_on_disk) / 1048576) AS mib FROM system.parts
      WHERE active AND database = currentDatabase() AND table = 'events'`,
    format: 'JSONEachRow',
  })
  const [row] = await result.json<{ readonly mib: number }>()
  return row?.mib ?? 0
}

function print(what: string, value: number): void {
  process.stdout.write(`${what}: ${value.toFixed(1)}\n`)
}
