import { strictEqual } from 'node:assert'
import { Prng } from '../../src/kernel/prng.ts'
import { chunk, writeBatch } from '../corpus/fixtures.ts'
import { OWN_FORMS } from '../corpus/own-forms.ts'
import { generateVisits, type VisitEvent } from '../corpus/visits.ts'
import { AGENTS } from '../corpus/vocabulary.ts'
import { TRAFFIC_RANGE } from '../insights/world/traffic.ts'
import { createFreshBodies } from '../rig/fresh-bodies.ts'
import { batchCreate, sendLoad } from '../rig/load.ts'
import type { BenchService } from '../rig/service.ts'
import { countRows, untilSettled } from '../rig/store.ts'
import type { Probe } from './probe.ts'

/** Events that are sent until they are stored. */
export interface Sent {
  /** The public keys of the requests, in turn; of the first project when there are none. */
  readonly keys: readonly string[]
  readonly requests: number
  /** Events of a request. */
  readonly batch: number
  /** Whether each request has users and sessions of its own, as the requests of different projects have. */
  readonly users: 'shared' | 'own'
}

const SEED = 20261020
/** Fewer than would make a busy machine refuse. */
const CONNECTIONS = 5
const MEASURED: Omit<Sent, 'keys'> = { requests: 1000, batch: 100, users: 'shared' }
const WARM_UP_REQUESTS = 200
const EVENTS = 20_000
const STORED_MS_MAX = 300_000

/** Events as the snippet sends them, in the last hour of the traffic: they join its largest month. */
function createBodies({ batch, requests, users }: Sent): () => Buffer {
  const { toMs } = TRAFFIC_RANGE
  const plan = { count: EVENTS, fromMs: toMs - 3_600_000, toMs }
  const parts = chunk(generateVisits(new Prng(SEED), plan), batch)
  const sent =
    users === 'shared' ? parts : Array.from({ length: requests }, (_, at) => withOwnUsers(parts, at))
  const bodies = sent.map((part) => writeBatch(part.map(OWN_FORMS.browser), 'json'))
  // The folder has those of the sizes before.
  return createFreshBodies(bodies, { firstCount: (Date.now() % 1e8) * 10_000 })
}

function withOwnUsers(parts: readonly (readonly VisitEvent[])[], at: number): readonly VisitEvent[] {
  const mark = at.toString(16).padStart(8, '0')
  return (parts[at % parts.length] ?? []).map((event) => ({
    ...event,
    distinctId: `${event.distinctId}-${mark}`,
    sessionId: mark + event.sessionId.slice(mark.length),
  }))
}

/** Sends events, and resolves when they are stored and their parts are merged. */
export async function sendUntilStored(service: BenchService, sent: Sent): Promise<void> {
  const { keys, requests, batch } = sent
  const before = await countRows(service.store)
  const { acknowledged } = await sendLoad({
    url: service.url,
    target: batchCreate(service.publicKey),
    userAgents: AGENTS.map(({ userAgent }) => userAgent),
    connections: CONNECTIONS,
    ...{ keys, requests, nextBody: createBodies(sent) },
  })
  strictEqual(acknowledged, requests * batch)
  await untilSettled(service.store, before + acknowledged, STORED_MS_MAX)
}

/** Records the CPU time of an event of all processes; the keys take turns. */
export async function measureIngestion(
  service: BenchService,
  keys: readonly string[],
  probe: Probe,
): Promise<void> {
  await sendUntilStored(service, { ...MEASURED, keys, requests: WARM_UP_REQUESTS })
  const before = service.cpuSeconds()
  const cpuSeconds = await probe.costOf(async () => await sendUntilStored(service, { ...MEASURED, keys }))
  const after = service.cpuSeconds()
  const micros = (seconds: number): number => (seconds * 1e6) / (MEASURED.requests * MEASURED.batch)
  probe.record('ingestion', 'µs CPU/event', micros(cpuSeconds))
  for (const role of ['edge', 'store'] as const) {
    const seconds = (after.get(role) ?? 0) - (before.get(role) ?? 0)
    probe.record(`ingestion: ${role}`, 'µs CPU/event', micros(seconds))
  }
}
