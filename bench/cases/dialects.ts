import type { BatchRequest } from '../../src/pipeline/task.ts'
import type { BenchCase, MeasureRound } from '../case.ts'
import { chunk, FIXTURE_EVENTS, visitEvents, writeBatch } from '../corpus/fixtures.ts'
import { readVendorEvents } from '../corpus/read-vendor-events.ts'
import { VENDOR_FORMS, VENDOR_KEY, type VendorForm } from '../corpus/vendor-forms.ts'
import type { VisitEvent } from '../corpus/visits.ts'
import { AGENTS } from '../corpus/vocabulary.ts'
import { cpuMicrosPerEvent } from '../rig/cpu.ts'
import { createFreshBodies } from '../rig/fresh-bodies.ts'
import { batchCreate, type Target } from '../rig/load.ts'
import { startService } from '../rig/service.ts'
import { type EventLoad, StoredLoad } from '../rig/stored-load.ts'
import { taskWork } from '../rig/task-work.ts'
import { jsonRequest } from '../rig/worker.ts'
import type { Teardown } from '../teardown.ts'

const BASELINE = 'BatchCreate JSON of the same events'

/** Requests of each round of the forms that are measured through the whole service: those whose ids are UUIDs, which fresh ones can replace. */
const SERVICE_REQUESTS: Readonly<Record<string, number>> = {
  'posthog-js-10': 64 * 200,
  'posthog-node-20': 64 * 200,
  'segment-15': 64 * 300,
  'amplitude-30': 64 * 150,
}

/**
 * Requests of another vendor's SDK beside BatchCreate requests with as many of the same events, in JSON: those that the dialect reads
 * in them. `dialect` is a worker's whole task, `e2e` all processes of a service until the events are stored.
 */
export const dialectCases: readonly BenchCase[] = [
  ...VENDOR_FORMS.map(
    (vendor): BenchCase => ({
      name: `dialect/${vendor.name}`,
      unit: 'µs CPU/event',
      baseline: BASELINE,
      rounds: 9,
      prepare: async (teardown) => await prepareTask(vendor, teardown),
    }),
  ),
  ...VENDOR_FORMS.filter(({ name }) => Object.hasOwn(SERVICE_REQUESTS, name)).map(
    (vendor): BenchCase => ({
      name: `e2e/dialect-${vendor.name}`,
      unit: 'µs CPU/event',
      baseline: BASELINE,
      rounds: 3,
      prepare: async (teardown) => await prepareService(vendor, teardown),
    }),
  ),
]

async function prepareTask(vendor: VendorForm, teardown: Teardown): Promise<MeasureRound> {
  const bodies = vendorBodies(vendor, visitEvents(FIXTURE_EVENTS))
  const subject = await taskWork(teardown, FIXTURE_EVENTS, vendorRequests(vendor, bodies))
  const baseline = await taskWork(
    teardown,
    FIXTURE_EVENTS,
    bodies.map((body, index) => requestOf(writeBatch(readVendorEvents(vendor, body), 'json'), index)),
  )
  return async () => ({
    cost: await cpuMicrosPerEvent(subject),
    baseline: await cpuMicrosPerEvent(baseline),
  })
}

/** The JSON of requests of an SDK that sends events. */
export function vendorBodies(vendor: VendorForm, events: readonly VisitEvent[]): readonly Buffer[] {
  return chunk(events, vendor.size).map((some) => Buffer.from(JSON.stringify(vendor.write(some, VENDOR_KEY))))
}

/** The requests as a worker has them. */
export function vendorRequests(vendor: VendorForm, bodies: readonly Buffer[]): readonly BatchRequest[] {
  const { dialect, form } = vendor
  const foreign = { dialect, form, key: VENDOR_KEY, listsResults: false, receivedMicros: Date.now() * 1000 }
  return bodies.map((body, index) => ({ ...requestOf(vendor.wrap(body), index), foreign }))
}

function requestOf(body: Buffer, index: number): BatchRequest {
  const request = jsonRequest(body)
  const userAgent = AGENTS[index % AGENTS.length]?.userAgent
  return { ...request, client: { ...request.client, userAgent } }
}

/** Both loads go to one service, one after the other: the events of each have ids of their own. */
async function prepareService(vendor: VendorForm, teardown: Teardown): Promise<MeasureRound> {
  const service = await startService(teardown)
  const { publicKey } = service
  const { size, path } = vendor
  const requests = SERVICE_REQUESTS[vendor.name] ?? 0
  const bodies = chunk(visitEvents(FIXTURE_EVENTS), size)
    .filter(({ length }) => length === size)
    .map((events) => Buffer.from(JSON.stringify(vendor.write(events, publicKey))))
  const nextJson = createFreshBodies(bodies, { before: vendor.beforeId })
  const target: Target = { path, headers: { 'content-type': 'text/plain' }, requestEvents: size }
  const userAgents = AGENTS.map(({ userAgent }) => userAgent)
  const ofVendor: EventLoad = {
    size,
    requests,
    target,
    userAgents,
    nextBody: () => vendor.wrap(nextJson()),
  }
  const same = bodies.map((body) => writeBatch(readVendorEvents(vendor, body, publicKey), 'json'))
  const ours: EventLoad = {
    size,
    requests,
    target: batchCreate(publicKey),
    userAgents,
    nextBody: createFreshBodies(same, { firstCount: 2 ** 36 }),
  }
  const storedLoad = new StoredLoad(service)
  await storedLoad.send(ofVendor)
  await storedLoad.send(ours)
  return async () => {
    const { cost, parts } = await storedLoad.measure(ofVendor)
    const baseline = await storedLoad.measure(ours)
    return { cost, baseline: baseline.cost, parts }
  }
}
