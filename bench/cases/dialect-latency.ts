import type { BenchCase, MeasureRound } from '../case.ts'
import { chunk, FIXTURE_EVENTS, visitEvents, writeBatch } from '../corpus/fixtures.ts'
import { OWN_FORMS } from '../corpus/own-forms.ts'
import { VENDOR_FORMS, VENDOR_KEY, type VendorForm } from '../corpus/vendor-forms.ts'
import type { VisitEvent } from '../corpus/visits.ts'
import { openConnections } from '../rig/http-client.ts'
import { type BenchService, startService } from '../rig/service.ts'
import { percentile, sendAtFullSpeed, sendSteadily } from '../rig/steady-load.ts'
import { untilSettled } from '../rig/store.ts'
import type { Teardown } from '../teardown.ts'

const CONNECTIONS = 64
const FULL_SPEED_SECONDS = 1
const STEADY_SECONDS = 3
const SHARE_OF_MAXIMUM = 0.3

/** Requests of each vendor's SDK at an even rate of 30 % of what the service just took at most, beside BatchCreate at that rate. */
export const dialectLatencyCases: readonly BenchCase[] = VENDOR_FORMS.map((sender) => ({
  name: `latency/${sender.name}`,
  unit: 'ms p99',
  baseline: 'BatchCreate JSON with as many events, at the same rate',
  rounds: 5,
  prepare: async (teardown) => await prepare(sender, teardown),
}))

/** The p99 of BatchCreate is measured before and after, so that a machine that becomes busier is no matter. */
async function prepare(sender: VendorForm, teardown: Teardown): Promise<MeasureRound> {
  const service = await startService(teardown, { SERVICE_BOOTSTRAP_PUBLIC_KEY: VENDOR_KEY })
  const nextEvents = createFreshEvents(sender.size)
  const foreign = await openLane({ service, path: sender.path, teardown }, () =>
    sender.wrap(Buffer.from(JSON.stringify(sender.write(nextEvents(), VENDOR_KEY)))),
  )
  const own = await openLane({ service, teardown }, () =>
    writeBatch(nextEvents().map(OWN_FORMS['web-sdk']), 'json'),
  )
  let events = 0
  const settle = async (requests: number): Promise<void> => {
    events += requests * sender.size
    await untilSettled(service.store, events)
  }
  const steady = async ({ connections, nextBody }: Lane, perSecond: number): Promise<number> => {
    // Written before: making and compressing them would hold up the client, which measures the time.
    const bodies = Array.from({ length: Math.round(perSecond * STEADY_SECONDS) }, nextBody)
    const load = { connections, nextBody: () => bodies.pop() ?? nextBody(), seconds: STEADY_SECONDS }
    const outcome = await sendSteadily({ ...load, perSecond })
    await settle(outcome.latencies.length)
    return percentile(outcome, 0.99)
  }
  return async () => {
    const fastest = await sendAtFullSpeed({ ...foreign, seconds: FULL_SPEED_SECONDS })
    await settle(fastest.latencies.length)
    const perSecond = fastest.perSecond * SHARE_OF_MAXIMUM
    const before = await steady(own, perSecond)
    const cost = await steady(foreign, perSecond)
    const after = await steady(own, perSecond)
    return { cost, baseline: (before + after) / 2, parts: { 'requests/s': perSecond } }
  }
}

type Lane = Awaited<ReturnType<typeof openLane>>

async function openLane(
  where: { readonly service: BenchService; readonly path?: string; readonly teardown: Teardown },
  nextBody: () => Buffer,
) {
  const { service, path, teardown } = where
  const target = { url: service.url, apiKey: VENDOR_KEY, count: CONNECTIONS }
  const connections = await openConnections({ ...target, ...(path === undefined ? {} : { path }) }, teardown)
  return { connections, nextBody }
}

/** Batches whose ids and times are each time other ones: copies would collapse in the store. */
function createFreshEvents(size: number): () => readonly VisitEvent[] {
  const batches = chunk(visitEvents(FIXTURE_EVENTS), size).filter(({ length }) => length === size)
  let count = 0
  let place = 0
  return () => {
    const batch = batches[place++ % batches.length] ?? []
    return batch.map((event) => {
      const digits = (++count).toString(16).padStart(8, '0')
      return {
        ...event,
        eventId: `${digits}${event.eventId.slice(8)}`,
        timeMs: event.timeMs + count,
      }
    })
  }
}
