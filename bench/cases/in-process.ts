import type { BenchCase } from '../case.ts'
import { type BatchSize, batchBodies, FIXTURE_EVENTS } from '../corpus/fixtures.ts'
import { cpuMicrosPerEvent, PARSE_JSON, parseJsonWork } from '../rig/cpu.ts'
import type { Teardown } from '../teardown.ts'

/** Works once through the events of a fixture. */
export type RunFixture = () => unknown

/** A case that runs in this process alone, on the batches of one size. */
export function inProcessCase(of: {
  readonly name: string
  readonly size: BatchSize
  /** Answers the function that is measured, and checks that what it does is right. */
  prepare(bodies: readonly Buffer[], teardown: Teardown): Promise<RunFixture>
}): BenchCase {
  return {
    name: of.name,
    unit: 'µs CPU/event',
    baseline: PARSE_JSON,
    rounds: 9,
    prepare: async (teardown) => {
      const bodies = batchBodies(of.size)
      const subject = { events: FIXTURE_EVENTS, run: await of.prepare(bodies, teardown) }
      const baseline = parseJsonWork(bodies, FIXTURE_EVENTS)
      return async () => ({
        cost: await cpuMicrosPerEvent(subject),
        baseline: await cpuMicrosPerEvent(baseline),
      })
    },
  }
}
