import { strictEqual } from 'node:assert'
import type { BenchCase, MeasureRound, Sample } from '../case.ts'
import { type BatchSize, batchBodies, FIXTURE_EVENTS, INGEST_RANGE } from '../corpus/fixtures.ts'
import { cpuMicrosPerEvent, PARSE_JSON, parseJsonWork } from '../rig/cpu.ts'
import { createFreshBodies } from '../rig/fresh-bodies.ts'
import { type LoadOutcome, sendLoad } from '../rig/load.ts'
import { type BenchService, startService } from '../rig/service.ts'
import { untilSettled } from '../rig/store.ts'
import { sumPoints, totalByDay } from '../rig/trends.ts'
import type { Teardown } from '../teardown.ts'

/** The load of one round, and the kind of service that receives it. */
interface Plan {
  readonly fixture: string
  readonly size: BatchSize
  readonly requests: number
  readonly settings?: Readonly<Record<string, string>>
}

const CONNECTIONS = 64

/**
 * Seconds of load, so that INSERTs are as large as they always are; multiples of the connections. The engine merges when
 * ten parts have gathered: a round of a million events has ten INSERTs and the merge of them.
 */
const PLANS: readonly Plan[] = [
  { fixture: 'json-batch-1', size: 1, requests: 64 * 600 },
  { fixture: 'json-batch-1-http1', size: 1, requests: 64 * 800, settings: { SERVICE_HTTP2: 'off' } },
  { fixture: 'json-batch-10', size: 10, requests: 64 * 400 },
  { fixture: 'json-batch-100', size: 100, requests: 64 * 160 },
]

/** Requests that are sent before the first round: compilers have done their work only after some seconds of load. */
const WARM_UP_REQUESTS = 64 * 160

/** Requests of 64 connections to the whole service, until every acknowledged event is stored: CPU of all processes. */
export const endToEndCases: readonly BenchCase[] = PLANS.map((plan) => ({
  name: `e2e/${plan.fixture}`,
  unit: 'µs CPU/event',
  baseline: PARSE_JSON,
  rounds: 3,
  prepare: async (teardown) => await prepare(plan, teardown),
}))

async function prepare(plan: Plan, teardown: Teardown): Promise<MeasureRound> {
  const service = await startService(teardown, plan.settings)
  const bodies = batchBodies(plan.size)
  const baseline = parseJsonWork(bodies, FIXTURE_EVENTS)
  const nextBody = createFreshBodies(bodies)
  let acknowledged = 0
  const send = async (requests: number): Promise<LoadOutcome> => {
    const { url, publicKey: apiKey } = service
    const outcome = await sendLoad({ url, apiKey, connections: CONNECTIONS, requests, nextBody })
    strictEqual(outcome.acknowledged, requests * plan.size)
    acknowledged += outcome.acknowledged
    await untilSettled(service.store, acknowledged)
    return outcome
  }
  await send(WARM_UP_REQUESTS)
  return async () => {
    const baselineCost = await cpuMicrosPerEvent(baseline)
    const before = service.cpuSeconds()
    const outcome = await send(plan.requests)
    const after = service.cpuSeconds()
    await checkStored(service, acknowledged)
    const { cost, parts } = costPerEvent(before, after, outcome)
    const edgeMib = service.residentMibMax().get('edge') ?? Number.NaN
    return { cost, baseline: baselineCost, parts: { ...parts, 'edge MiB at most': edgeMib } }
  }
}

async function checkStored(service: BenchService, acknowledged: number): Promise<void> {
  const stored = sumPoints(await service.query(totalByDay(INGEST_RANGE)))
  strictEqual(stored, acknowledged, `acknowledged ${acknowledged} events, stored ${stored}`)
}

function costPerEvent(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
  { acknowledged, seconds }: LoadOutcome,
): Pick<Sample, 'cost' | 'parts'> {
  const byRole = [...after].map(([role, cpuSeconds]): [string, number] => [
    role,
    ((cpuSeconds - (before.get(role) ?? 0)) * 1e6) / acknowledged,
  ])
  const cost = byRole.reduce((sum, [, micros]) => sum + micros, 0)
  return { cost, parts: { ...Object.fromEntries(byRole), 'events/s': acknowledged / seconds } }
}
