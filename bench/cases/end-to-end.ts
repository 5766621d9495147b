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

/** What one round sends. */
interface Plan {
  readonly size: BatchSize
  readonly requests: number
}

const CONNECTIONS = 64

/** A second or two of load each on one core; multiples of the connections. */
const PLANS: readonly Plan[] = [
  { size: 1, requests: 64 * 400 },
  { size: 10, requests: 64 * 200 },
  { size: 100, requests: 64 * 20 },
]

/** Requests of 64 connections to the whole service, until every acknowledged event is stored: CPU of all processes. */
export const endToEndCases: readonly BenchCase[] = PLANS.map((plan) => ({
  name: `e2e/json-batch-${plan.size}`,
  unit: 'µs CPU/event',
  baseline: PARSE_JSON,
  rounds: 3,
  prepare: async (teardown) => await prepare(plan, teardown),
}))

async function prepare(plan: Plan, teardown: Teardown): Promise<MeasureRound> {
  const service = await startService(teardown)
  const bodies = batchBodies(plan.size)
  const baseline = parseJsonWork(bodies, FIXTURE_EVENTS)
  const nextBody = createFreshBodies(bodies)
  let acknowledged = 0
  return async () => {
    const baselineCost = await cpuMicrosPerEvent(baseline)
    const before = service.cpuSeconds()
    const outcome = await sendLoad({
      url: service.url,
      apiKey: service.publicKey,
      connections: CONNECTIONS,
      requests: plan.requests,
      nextBody,
    })
    strictEqual(outcome.acknowledged, plan.requests * plan.size)
    acknowledged += outcome.acknowledged
    await untilSettled(service.store, acknowledged)
    const after = service.cpuSeconds()
    await checkStored(service, acknowledged)
    return { ...costPerEvent(before, after, outcome), baseline: baselineCost }
  }
}

async function checkStored(service: BenchService, acknowledged: number): Promise<void> {
  const stored = sumPoints(await service.ask(totalByDay(INGEST_RANGE)))
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
