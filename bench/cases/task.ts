import { strictEqual } from 'node:assert'
import { asProjectId } from '../../src/contract/ids.ts'
import { LIMITS } from '../../src/kernel/limits.ts'
import type { Task } from '../../src/pipeline/task.ts'
import { processTask } from '../../src/pipeline/worker.ts'
import type { BenchCase } from '../case.ts'
import { BATCH_SIZES, chunk, FIXTURE_EVENTS } from '../corpus/fixtures.ts'
import { inProcessCase } from './in-process.ts'

const PROJECT = asProjectId(1)

/** A worker's whole task without the hand-over: requests packed as full as the pool packs them, in this thread. */
export const taskCases: readonly BenchCase[] = BATCH_SIZES.map((size) =>
  inProcessCase({
    name: `task/json-batch-${size}`,
    size,
    prepare: async (bodies) => {
      const tasks = chunk(bodies, requestsPerTask(bodies)).map(packTask)
      strictEqual(
        tasks.reduce((sum, task) => sum + processTask(task).rowCount, 0),
        FIXTURE_EVENTS,
      )
      return () => {
        for (const task of tasks) processTask(task)
      }
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
  const requests = bodies.map(({ length }) => {
    offset += length
    return { projectId: PROJECT, offset: offset - length, length }
  })
  return { requests, bodies: packed.buffer }
}
