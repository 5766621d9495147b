// What the capacity model assumes about a cluster, measured: the same events through the public port into one engine and into two shards,
// and the same questions about them. CPU time by process, so that both may share the cores of one machine.
import { parseArgs } from 'node:util'
import type { JsonObject } from '@bufbuild/protobuf'
import { monotonicMs, sleep } from '../../src/kernel/clock.ts'
import { startTwoShards } from '../../test/harness/two-shards.ts'
import { INGEST_RANGE, visitBodies } from '../corpus/fixtures.ts'
import { AGENTS } from '../corpus/vocabulary.ts'
import { counted, createRequest, step } from '../insights/queries/create-request.ts'
import { call } from '../rig/call.ts'
import { processCpuSeconds } from '../rig/cpu.ts'
import { createFreshBodies } from '../rig/fresh-bodies.ts'
import { batchCreate, sendLoad } from '../rig/load.ts'
import { describeMachine, measureMachine } from '../rig/machine.ts'
import { runCommand } from '../rig/run-command.ts'
import { type BenchService, startService } from '../rig/service.ts'
import { type BenchStore, connectStore } from '../rig/store.ts'
import { FRESH } from '../rig/twenty-tiles.ts'
import { median } from '../summary.ts'
import type { Teardown } from '../teardown.ts'

const USAGE = 'npm run bench:shards -- [--rounds N] [--batches N]'
const BATCH = 100
const CONNECTIONS = 50
const TIMES = 5
const STORED_MS_MAX = 120_000
const LOOK_EVERY_MS = 300
/** Merges start a moment after the INSERT that gives rise to them. */
const QUIET_LOOKS = 2

const ROWS_AT_REST = `SELECT
  (SELECT toUInt32(sum(rows)) FROM system.parts WHERE active AND database = currentDatabase() AND table IN ('events', 'events_local')) AS rows,
  (SELECT toUInt32(count()) FROM system.merges WHERE database = currentDatabase()) AS merges`

const SHOWN = { range: INGEST_RANGE }

/** A service with one engine or with two. */
interface Side {
  readonly name: string
  readonly service: BenchService
  readonly nextBody: () => Buffer
  readonly stores: readonly BenchStore[]
  /** CPU seconds so far: of all engines, and of edge and query process. */
  cpuSeconds(): { readonly edge: number; readonly query: number; readonly store: number }
}

type Cost = ReturnType<Side['cpuSeconds']>

/** Questions of which nodes answer a part each, and one whose users are on every node. */
const QUESTIONS: Readonly<Record<string, JsonObject>> = {
  trend: createRequest({ insightType: 'TRENDS', events: [counted('page_view', 'TOTAL')] }, SHOWN),
  users: createRequest({ insightType: 'TRENDS', events: [counted('page_view', 'UNIQUE_USERS')] }, SHOWN),
  funnel: createRequest(
    {
      insightType: 'FUNNEL',
      events: ['page_view', 'search', 'add_to_cart'].map(step),
      conversionWindow: '3600s',
    },
    SHOWN,
  ),
  retention: createRequest({ insightType: 'RETENTION', events: [step('page_view')] }, SHOWN),
}

await runCommand(USAGE, async (teardown) => {
  const { values } = parseArgs({
    options: { rounds: { type: 'string', default: '3' }, batches: { type: 'string', default: '3000' } },
  })
  const sides = [await startOne(teardown), await startTwo(teardown)]
  const ingestion = new Map<string, Cost[]>(sides.map(({ name }) => [name, []]))
  // The first round warms up.
  for (let round = 0; round <= Number(values.rounds); round++) {
    for (const side of sides) {
      const cost = await ingest(side, Number(values.batches))
      if (round > 0) ingestion.get(side.name)?.push(cost)
    }
  }
  for (const [name, costs] of ingestion) print(`${name}: µs of CPU per event`, costs)
  for (const [question, body] of Object.entries(QUESTIONS)) {
    for (const side of sides) {
      const costs: Cost[] = []
      for (let time = 0; time <= TIMES; time++) {
        const cost = await ask(side, body)
        if (time > 0) costs.push(cost)
      }
      print(`${side.name}: ${question}, ms of CPU`, costs)
    }
  }
  process.stdout.write(`${describeMachine(await measureMachine())}\n`)
})

async function startOne(teardown: Teardown): Promise<Side> {
  const service = await startService(teardown)
  return toSide('one engine', { service, stores: [service.store], enginePids: [] })
}

async function startTwo(teardown: Teardown): Promise<Side> {
  const shards = await startTwoShards(teardown.temporaryFolder())
  teardown.defer(async () => await shards.close())
  const [first, second] = shards.engines
  const settings = { ...shards.settings(), SERVICE_ROLES: 'query,edge' }
  const service = await startService(teardown, settings, first)
  const stores = shards.engines.map((engine) => connectStore(engine, teardown))
  return toSide('two shards', { service, stores, enginePids: [first.pid, second.pid] })
}

function toSide(
  name: string,
  {
    service,
    stores,
    enginePids,
  }: Pick<Side, 'service' | 'stores'> & { readonly enginePids: readonly number[] },
): Side {
  const nextBody = createFreshBodies(visitBodies('browser', BATCH))
  return {
    name,
    service,
    nextBody,
    stores,
    cpuSeconds: () => {
      const byRole = service.cpuSeconds()
      const engines = enginePids.reduce((total, pid) => total + processCpuSeconds(pid), 0)
      const of = (role: string): number => byRole.get(role) ?? 0
      return { edge: of('edge'), query: of('query'), store: of('store') + engines }
    },
  }
}

/** Until the rows have arrived and no shard merges. */
async function ingest({ service, stores, nextBody, cpuSeconds }: Side, requests: number): Promise<Cost> {
  const { rows } = await look(stores)
  const before = cpuSeconds()
  const { acknowledged } = await sendLoad({
    url: service.url,
    target: batchCreate(service.publicKey),
    userAgents: AGENTS.map(({ userAgent }) => userAgent),
    connections: CONNECTIONS,
    ...{ requests, nextBody },
  })
  await untilAtRest(stores, rows + acknowledged)
  return divide(subtract(cpuSeconds(), before), acknowledged / 1e6)
}

async function untilAtRest(stores: readonly BenchStore[], rowCount: number): Promise<void> {
  const endMs = monotonicMs() + STORED_MS_MAX
  for (let quietLooks = 0; quietLooks < QUIET_LOOKS; ) {
    const { rows, merges } = await look(stores)
    quietLooks = rows >= rowCount && merges === 0 ? quietLooks + 1 : 0
    if (monotonicMs() > endMs) throw new Error(`only ${rows} of ${rowCount} rows were stored`)
    await sleep(LOOK_EVERY_MS)
  }
}

async function look(
  stores: readonly BenchStore[],
): Promise<{ readonly rows: number; readonly merges: number }> {
  let [rows, merges] = [0, 0]
  for (const { clickhouse } of stores) {
    const result = await clickhouse.query({ query: ROWS_AT_REST, format: 'JSONEachRow' })
    const [row] = await result.json<{ readonly rows: number; readonly merges: number }>()
    rows += row?.rows ?? 0
    merges += row?.merges ?? 0
  }
  return { rows, merges }
}

async function ask({ service, cpuSeconds }: Side, body: JsonObject): Promise<Cost> {
  const before = cpuSeconds()
  const headers = { 'x-api-key': service.privateKey, ...FRESH }
  await call(service, 'shared.insights.v1.InsightsService/Query', body, headers)
  return divide(subtract(cpuSeconds(), before), 1 / 1000)
}

function subtract(after: Cost, before: Cost): Cost {
  return {
    edge: after.edge - before.edge,
    query: after.query - before.query,
    store: after.store - before.store,
  }
}

function divide(cost: Cost, by: number): Cost {
  return { edge: cost.edge / by, query: cost.query / by, store: cost.store / by }
}

function print(name: string, costs: readonly Cost[]): void {
  const of = (role: keyof Cost): string => median(costs.map((cost) => cost[role])).toFixed(2)
  process.stdout.write(`${name}: edge ${of('edge')} · query ${of('query')} · store ${of('store')}\n`)
}
