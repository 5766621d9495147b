import type { BenchCase, MeasureRound } from '../case.ts'
import { type BatchSize, batchBodies, FIXTURE_EVENTS, VISIT_EVENTS, visitBodies } from '../corpus/fixtures.ts'
import type { OwnForm } from '../corpus/own-forms.ts'
import { AGENTS } from '../corpus/vocabulary.ts'
import { cpuMicrosPerEvent, PARSE_JSON, parseJsonWork } from '../rig/cpu.ts'
import { createFreshBodies } from '../rig/fresh-bodies.ts'
import { batchCreate, batchCreateBinary } from '../rig/load.ts'
import { startService } from '../rig/service.ts'
import { type EventLoad, StoredLoad } from '../rig/stored-load.ts'
import type { Teardown } from '../teardown.ts'

/** The load of one round, and the kind of service that receives it. */
interface Plan {
  readonly fixture: string
  readonly size: BatchSize
  readonly requests: number
  readonly settings?: Readonly<Record<string, string>>
  /** A corpus of visits instead of the first one. */
  readonly form?: OwnForm
  readonly protocol?: 'json' | 'binary'
}

/**
 * Seconds of load, so that INSERTs are as large as they always are; multiples of the connections. The engine merges when
 * ten parts have gathered: a round of a million events has ten INSERTs and the merge of them.
 */
const PLANS: readonly Plan[] = [
  { fixture: 'json-batch-1', size: 1, requests: 64 * 600 },
  { fixture: 'json-batch-1-http1', size: 1, requests: 64 * 800, settings: { SERVICE_HTTP2: 'off' } },
  { fixture: 'json-batch-10', size: 10, requests: 64 * 400 },
  { fixture: 'json-batch-100', size: 100, requests: 64 * 160 },
  { fixture: 'browser-json-100', size: 100, requests: 64 * 160, form: 'browser' },
  { fixture: 'browser-binary-100', size: 100, requests: 64 * 160, form: 'browser', protocol: 'binary' },
  { fixture: 'web-sdk-json-100', size: 100, requests: 64 * 160, form: 'web-sdk' },
  { fixture: 'server-json-100', size: 100, requests: 64 * 160, form: 'server' },
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

/** The baseline is `JSON.parse` of the JSON form of the events, in binary cases too. */
async function prepare(plan: Plan, teardown: Teardown): Promise<MeasureRound> {
  const service = await startService(teardown, plan.settings)
  const { size, form, requests, protocol = 'json' } = plan
  const json = form === undefined ? batchBodies(size) : visitBodies(form, size)
  const baseline = parseJsonWork(json, form === undefined ? FIXTURE_EVENTS : VISIT_EVENTS)
  const bodies = protocol === 'json' ? json : visitBodies(form ?? 'browser', size, 'binary')
  const load: Omit<EventLoad, 'requests'> = {
    size,
    nextBody: createFreshBodies(bodies, { protocol }),
    target: protocol === 'json' ? batchCreate(service.publicKey) : batchCreateBinary(service.publicKey, size),
    userAgents: form === undefined ? [] : AGENTS.map(({ userAgent }) => userAgent),
  }
  const storedLoad = new StoredLoad(service)
  await storedLoad.send({ ...load, requests: WARM_UP_REQUESTS })
  return async () => {
    const baselineCost = await cpuMicrosPerEvent(baseline)
    return { ...(await storedLoad.measure({ ...load, requests })), baseline: baselineCost }
  }
}
