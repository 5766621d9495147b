import { strictEqual } from 'node:assert'
import { LIMITS } from '../../src/kernel/limits.ts'
import { createBatchProcessor } from '../../src/pipeline/create-batch-processor.ts'
import { PackedTask } from '../../src/pipeline/packed-task.ts'
import type { BatchRequest } from '../../src/pipeline/task.ts'
import { chunk } from '../corpus/fixtures.ts'
import type { Teardown } from '../teardown.ts'
import type { Work } from './cpu.ts'
import { workerSettings } from './worker.ts'

/** A worker's whole task without the hand-over: `events` in requests, packed as full as the pool packs them, in this thread. */
export async function taskWork(
  teardown: Teardown,
  events: number,
  requests: readonly BatchRequest[],
): Promise<Work> {
  const processor = await createBatchProcessor(workerSettings(teardown))
  const bytesMax = Math.max(...requests.map(({ bytes }) => bytes.length))
  const perTask = Math.min(LIMITS.taskRequestsMax, Math.floor(LIMITS.taskBytesMax / bytesMax))
  const tasks = chunk(requests, Math.max(1, perTask))
  const [packed, output] = [new PackedTask(0), new SharedArrayBuffer(LIMITS.taskBytesMax)]
  const run = async (): Promise<number> => {
    let rowCount = 0
    for (const part of tasks) {
      // A task that takes long ends early, and leaves requests to the next one.
      for (let rest = part; rest.length > 0; ) {
        packed.clear()
        for (const request of rest) packed.add(request)
        const result = await processor.process(packed.seal(output))
        rowCount += result.rowCount
        rest = rest.slice(result.outcomes.length)
      }
    }
    return rowCount
  }
  strictEqual(await run(), events)
  return { events, run }
}
