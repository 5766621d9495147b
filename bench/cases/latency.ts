import type { BenchCase, MeasureRound } from '../case.ts'
import { batchBodies } from '../corpus/fixtures.ts'
import { createFreshBodies } from '../rig/fresh-bodies.ts'
import { openConnections } from '../rig/http-client.ts'
import { startService } from '../rig/service.ts'
import { percentile, sendAtFullSpeed, sendSteadily } from '../rig/steady-load.ts'
import { untilSettled } from '../rig/store.ts'
import type { Teardown } from '../teardown.ts'

const BATCH = 10
const CONNECTIONS = 64
const FULL_SPEED_SECONDS = 2
const STEADY_SECONDS = 5
const SHARE_OF_MAXIMUM = 0.3

/** BatchCreate at an even rate of 30 % of what the service just took at most; merges of that time included. */
export const latencyCases: readonly BenchCase[] = [
  {
    name: `latency/json-batch-${BATCH}`,
    unit: 'ms p99',
    baseline: 'the median of the same requests',
    rounds: 5,
    prepare: async (teardown) => await prepare(teardown),
  },
]

async function prepare(teardown: Teardown): Promise<MeasureRound> {
  const service = await startService(teardown)
  const apiKey = service.publicKey
  const connections = await openConnections({ url: service.url, apiKey, count: CONNECTIONS }, teardown)
  const nextBody = createFreshBodies(batchBodies(BATCH))
  let events = 0
  return async () => {
    const fastest = await sendAtFullSpeed({ connections, nextBody, seconds: FULL_SPEED_SECONDS })
    events += fastest.latencies.length * BATCH
    await untilSettled(service.store, events)
    const perSecond = fastest.perSecond * SHARE_OF_MAXIMUM
    const steady = await sendSteadily({ connections, nextBody, seconds: STEADY_SECONDS, perSecond })
    events += steady.latencies.length * BATCH
    await untilSettled(service.store, events)
    return {
      cost: percentile(steady, 0.99),
      baseline: percentile(steady, 0.5),
      parts: {
        'ms p50': percentile(steady, 0.5),
        'ms p99.9': percentile(steady, 0.999),
        'ms max': percentile(steady, 1),
        'requests/s': steady.perSecond,
        'requests/s at most': fastest.perSecond,
      },
    }
  }
}
