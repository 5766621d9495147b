import { strictEqual } from 'node:assert'
import { Prng } from '../../src/kernel/prng.ts'
import { chunk, writeBatch } from '../corpus/fixtures.ts'
import { OWN_FORMS } from '../corpus/own-forms.ts'
import { generateVisits } from '../corpus/visits.ts'
import { AGENTS } from '../corpus/vocabulary.ts'
import { TRAFFIC_RANGE } from '../insights/world/traffic.ts'
import { createFreshBodies } from '../rig/fresh-bodies.ts'
import { batchCreate, sendLoad } from '../rig/load.ts'
import type { BenchService } from '../rig/service.ts'
import { countRows, untilSettled } from '../rig/store.ts'
import type { Probe } from './probe.ts'

const SEED = 20261020
const BATCH = 100
/** Fewer than would make a busy machine refuse. */
const CONNECTIONS = 20
const REQUESTS = 1000
const WARM_UP_REQUESTS = 200
const EVENTS = 20_000
const STORED_MS_MAX = 300_000

/** Events as the snippet sends them, in the last hour of the traffic: they join its largest month. */
function createBodies(): () => Buffer {
  const { toMs } = TRAFFIC_RANGE
  const plan = { count: EVENTS, fromMs: toMs - 3_600_000, toMs }
  const events = generateVisits(new Prng(SEED), plan).map(OWN_FORMS.browser)
  const bodies = chunk(events, BATCH).map((part) => writeBatch(part, 'json'))
  // The folder has those of the sizes before.
  return createFreshBodies(bodies, { firstCount: (Date.now() % 1e8) * 10_000 })
}

/** Records the CPU time of an event of all processes, until it is stored and its parts are merged; the keys take turns. */
export async function measureIngestion(
  service: BenchService,
  keys: readonly string[],
  probe: Probe,
): Promise<void> {
  const nextBody = createBodies()
  const send = async (requests: number): Promise<void> => {
    const before = await countRows(service.store)
    const { acknowledged } = await sendLoad({
      url: service.url,
      target: batchCreate(service.publicKey),
      userAgents: AGENTS.map(({ userAgent }) => userAgent),
      connections: CONNECTIONS,
      ...{ keys, requests, nextBody },
    })
    strictEqual(acknowledged, requests * BATCH)
    await untilSettled(service.store, before + acknowledged, STORED_MS_MAX)
  }
  await send(WARM_UP_REQUESTS)
  const before = service.cpuSeconds()
  const cpuSeconds = await probe.costOf(async () => await send(REQUESTS))
  const after = service.cpuSeconds()
  const micros = (seconds: number): number => (seconds * 1e6) / (REQUESTS * BATCH)
  probe.record('ingestion', 'µs CPU/event', micros(cpuSeconds))
  for (const role of ['edge', 'store'] as const) {
    const seconds = (after.get(role) ?? 0) - (before.get(role) ?? 0)
    probe.record(`ingestion: ${role}`, 'µs CPU/event', micros(seconds))
  }
}
