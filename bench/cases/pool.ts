import { strictEqual } from 'node:assert'
import { createLogger } from '../../src/kernel/log.ts'
import { ValidationPool } from '../../src/pipeline/pool.ts'
import type { Outcome } from '../../src/pipeline/task.ts'
import type { BenchCase } from '../case.ts'
import { BATCH_SIZES, FIXTURE_EVENTS } from '../corpus/fixtures.ts'
import { jsonRequest, workerSettings } from '../rig/worker.ts'
import { inProcessCase } from './in-process.ts'

/** Requests under way at once, as from so many connections. */
const LANES = 64

/** From `submit` to the outcome through a real worker thread; the blocks are thrown away. */
export const poolCases: readonly BenchCase[] = BATCH_SIZES.map((size) =>
  inProcessCase({
    name: `pool/json-batch-${size}`,
    size,
    prepare: async (bodies, teardown) => {
      let rows = 0
      const pool = new ValidationPool({
        workers: 1,
        settings: workerSettings(teardown),
        commitBlock: async (_, rowCount) => {
          rows += rowCount
        },
        log: createLogger({ role: 'bench', level: 'warn' }),
      })
      teardown.defer(async () => await pool.close())
      await submitAll(pool, bodies)
      strictEqual(rows, FIXTURE_EVENTS)
      return async () => await submitAll(pool, bodies)
    },
  }),
)

async function submitAll(pool: ValidationPool, bodies: readonly Buffer[]): Promise<void> {
  const rest = bodies.values()
  const lane = async (): Promise<number> => {
    let accepted = 0
    for (const body of rest) {
      const outcome = await new Promise<Outcome>((answer, fail) =>
        pool.submit(jsonRequest(body), { answer, fail }),
      )
      if ('accepted' in outcome) accepted += outcome.accepted
    }
    return accepted
  }
  const counts = await Promise.all(Array.from({ length: LANES }, lane))
  const accepted = counts.reduce((sum, count) => sum + count, 0)
  strictEqual(accepted, FIXTURE_EVENTS)
}
