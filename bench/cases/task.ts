import { strictEqual } from 'node:assert'
import { LIMITS } from '../../src/kernel/limits.ts'
import { createBatchProcessor } from '../../src/pipeline/create-batch-processor.ts'
import { PackedTask } from '../../src/pipeline/packed-task.ts'
import type { BenchCase } from '../case.ts'
import { BATCH_SIZES, chunk, FIXTURE_EVENTS } from '../corpus/fixtures.ts'
import { jsonRequest, workerSettings } from '../rig/worker.ts'
import { inProcessCase } from './in-process.ts'

/** A worker's whole task without the hand-over: requests packed as full as the pool packs them, in this thread. */
export const taskCases: readonly BenchCase[] = BATCH_SIZES.map((size) =>
  inProcessCase({
    name: `task/json-batch-${size}`,
    size,
    prepare: async (bodies, teardown) => {
      const processor = await createBatchProcessor(workerSettings(teardown))
      const tasks = chunk(bodies, requestsPerTask(bodies))
      const [packed, output] = [new PackedTask(0), new SharedArrayBuffer(LIMITS.taskBytesMax)]
      const run = async (): Promise<number> => {
        let rowCount = 0
        for (const part of tasks) {
          packed.clear()
          for (const body of part) packed.add(jsonRequest(body))
          rowCount += (await processor.process(packed.seal(output))).rowCount
        }
        return rowCount
      }
      strictEqual(await run(), FIXTURE_EVENTS)
      return run
    },
  }),
)

function requestsPerTask(bodies: readonly Buffer[]): number {
  const bytesMax = Math.max(...bodies.map((body) => body.length))
  return Math.max(1, Math.min(LIMITS.taskRequestsMax, Math.floor(LIMITS.taskBytesMax / bytesMax)))
}
