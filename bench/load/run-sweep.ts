import { monotonicMs, sleep } from '../../src/kernel/clock.ts'
import { startService } from '../rig/service.ts'
import { type BenchStore, countRows, untilSettled } from '../rig/store.ts'
import { Teardown } from '../teardown.ts'
import { createLoadBodies } from './load-bodies.ts'
import type { LoadCommand } from './load-command.ts'
import { type Measured, measureLoad } from './measure-load.ts'
import { sendTimedLoad } from './send-load.ts'
import { SWEEPS } from './sweeps.ts'

/** The measurements for one value of a setting. */
export interface SweepPoint {
  readonly value: string
  readonly measured: Measured
  /** Milliseconds from sending one batch to an idle service until it is in ClickHouse. */
  readonly freshMs: number
}

/** Seconds of load before each measurement: compilers have done their work only after some. */
const WARM_UP_SECONDS = 5
/** A bad value leaves a long backlog: that it takes long is the result. */
const SETTLE_MS_MAX = 600_000
const FRESH_MS_MAX = 120_000
const LOOK_EVERY_MS = 10

/** Measures each value with a separate service, in sequence, `rounds` times; reports the run with the median latency. */
export async function runSweep(
  command: Extract<LoadCommand, { kind: 'sweep' }>,
): Promise<readonly SweepPoint[]> {
  const taken: SweepPoint[] = []
  for (let round = 1; round <= command.rounds; round++) {
    for (const value of command.values) {
      process.stderr.write(`${SWEEPS[command.sweep].setting}=${value}, round ${round} ...\n`)
      taken.push(await measureValue(command, value))
    }
  }
  return command.values.map((value) => middleOf(taken.filter((point) => point.value === value)))
}

function middleOf(points: readonly SweepPoint[]): SweepPoint {
  const latencyOf = ({ measured }: SweepPoint): number => measured.result.latency.p50
  const sorted = [...points].sort((a, b) => latencyOf(a) - latencyOf(b))
  const point = sorted[Math.floor(points.length / 2)]
  if (point === undefined) throw new Error('a value was not measured')
  return point
}

async function measureValue(
  { sweep, shape }: Extract<LoadCommand, { kind: 'sweep' }>,
  value: string,
): Promise<SweepPoint> {
  const teardown = new Teardown()
  const stop = (): void => void teardown.run().finally(() => process.exit(1))
  process.once('SIGINT', stop).once('SIGTERM', stop)
  try {
    const service = await startService(teardown, { [SWEEPS[sweep].setting]: value })
    const target = { url: service.url, key: service.publicKey, dataDir: service.dataDir }
    // Before any load: requests that a load leaves behind would look like the event. The first one is compiled on its way.
    const fresh = { ...target, store: service.store }
    await measureFreshness(fresh)
    const freshMs = await measureFreshness(fresh)
    const warmUp = await sendTimedLoad(target, { ...shape, seconds: WARM_UP_SECONDS })
    const settle = async (events: number): Promise<void> =>
      await untilSettled(service.store, events, SETTLE_MS_MAX)
    await settle(warmUp.events)
    const measured = await measureLoad(
      { ...target, untilSettled: async (events) => await settle(warmUp.events + events) },
      shape,
    )
    return { value, measured, freshMs }
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop)
    await teardown.run()
  }
}

async function measureFreshness(of: {
  readonly url: string
  readonly key: string
  readonly store: BenchStore
}): Promise<number> {
  const before = await countRows(of.store)
  const body = createLoadBodies({ batch: 1, protocol: 'json' })()
  const startMs = monotonicMs()
  const response = await fetch(`${of.url}/sdk.events.v1.EventsService/BatchCreate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': of.key },
    body: new Uint8Array(body),
  })
  if (!response.ok) throw new Error(`the service refused an event: ${response.status}`)
  while (monotonicMs() - startMs < FRESH_MS_MAX) {
    if ((await countRows(of.store)) > before) return monotonicMs() - startMs
    await sleep(LOOK_EVERY_MS)
  }
  throw new Error('an acknowledged event did not reach ClickHouse')
}
