import { monotonicMs } from '../../src/kernel/clock.ts'
import type { BenchCase, MeasureRound } from '../case.ts'
import { batchBodies, INGEST_RANGE } from '../corpus/fixtures.ts'
import { createFreshBodies } from '../rig/fresh-bodies.ts'
import { openConnections } from '../rig/http-client.ts'
import { type FloodOutcome, type FloodPlan, tryPasswords } from '../rig/password-flood.ts'
import { startService } from '../rig/service.ts'
import { type LatencyOutcome, percentile, sendAtFullSpeed } from '../rig/steady-load.ts'
import { untilSettled } from '../rig/store.ts'
import { totalByDay } from '../rig/trends.ts'
import type { Teardown } from '../teardown.ts'

const BATCH = 1
const CONNECTIONS = 64
const SECONDS = 2

/** Rates of an attacker whom the limits of accounts and addresses do not slow down, and a rate at which the work itself is the limit. */
const PLANS: readonly (FloodPlan & { readonly fixture: string })[] = [
  { fixture: '200-at-once', clients: 200 },
  { fixture: '200-a-second', perSecond: 200 },
]

/** Ingestion at full speed, and small queries one after the other, while a client tries passwords. */
export const passwordCases: readonly BenchCase[] = PLANS.map((plan) => ({
  name: `passwords/${plan.fixture}`,
  unit: 'µs wall/event',
  baseline: 'the same without wrong passwords',
  rounds: 4,
  prepare: async (teardown) => await prepare(plan, teardown),
}))

interface Seen {
  readonly ingestion: LatencyOutcome
  readonly queries: LatencyOutcome
}

async function prepare(plan: FloodPlan, teardown: Teardown): Promise<MeasureRound> {
  const service = await startService(teardown)
  const connections = await openConnections(
    { url: service.url, apiKey: service.publicKey, count: CONNECTIONS },
    teardown,
  )
  const nextBody = createFreshBodies(batchBodies(BATCH))
  let events = 0
  const runQuery = async (): Promise<void> => void (await service.query(totalByDay(INGEST_RANGE)))
  const measure = async (): Promise<Seen> => {
    const over = new AbortController()
    const queried = queryUntil(runQuery, over.signal)
    const ingestion = await sendAtFullSpeed({ connections, nextBody, seconds: SECONDS })
    over.abort()
    events += ingestion.latencies.length * BATCH
    const queries = await queried
    await untilSettled(service.store, events)
    return { ingestion, queries }
  }
  return async () => {
    const calm = await measure()
    const over = new AbortController()
    const flood = tryPasswords(plan, { url: service.url, signal: over.signal })
    const flooded = await measure()
    over.abort()
    return summarise(calm, flooded, await flood)
  }
}

function summarise(calm: Seen, flooded: Seen, { computed, refused }: FloodOutcome) {
  return {
    cost: microsPerEvent(flooded.ingestion),
    baseline: microsPerEvent(calm.ingestion),
    parts: {
      'ms p99 of a query': percentile(flooded.queries, 0.99),
      without: percentile(calm.queries, 0.99),
      'ms p50': percentile(flooded.queries, 0.5),
      'p50 without': percentile(calm.queries, 0.5),
      computed,
      refused,
    },
  }
}

function microsPerEvent({ perSecond }: LatencyOutcome): number {
  return 1e6 / (perSecond * BATCH)
}

async function queryUntil(runQuery: () => Promise<void>, signal: AbortSignal): Promise<LatencyOutcome> {
  const startMs = monotonicMs()
  const latencies: number[] = []
  while (!signal.aborted) {
    const sentMs = monotonicMs()
    await runQuery()
    latencies.push(monotonicMs() - sentMs)
  }
  const perSecond = (latencies.length * 1000) / (monotonicMs() - startMs)
  return { latencies: latencies.sort((a, b) => a - b), perSecond }
}
