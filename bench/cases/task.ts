import { strictEqual } from 'node:assert'
import { LIMITS } from '../../src/kernel/limits.ts'
import { createBatchProcessor } from '../../src/pipeline/create-batch-processor.ts'
import type { Task } from '../../src/pipeline/task.ts'
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
      const tasks = chunk(bodies, requestsPerTask(bodies)).map(packTask)
      const run = async (): Promise<number> => {
        let rowCount = 0
        for (const task of tasks) rowCount += (await processor.process(task)).rowCount
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

function packTask(bodies: readonly Buffer[]): Task {
  const packed = Uint8Array.from(Buffer.concat(bodies))
  let offset = 0
  const requests = bodies.map((body) => {
    const { bytes, ...request } = jsonRequest(body)
    offset += bytes.length
    return { ...request, offset: offset - bytes.length, length: bytes.length }
  })
  return { requests, messages: packed.buffer }
}
