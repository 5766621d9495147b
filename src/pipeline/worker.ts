import { workerData } from 'piscina'
import { collectGarbage } from '../kernel/memory/collect-garbage.ts'
import { createBatchProcessor } from './create-batch-processor.ts'
import { type IdentifyCall, type IdentifyResult, processIdentifies } from './identify/identify-task.ts'
import { RecentClaims } from './identify/merge-guards.ts'
import type { Task, TaskResult } from './task.ts'

const processor = await createBatchProcessor(workerData)
const claims = new RecentClaims()

/** Processes a task of events. */
export async function runTask(task: Task): Promise<TaskResult> {
  return await processor.process(task)
}

/** Collects the garbage of this thread. */
export function releaseMemory(): void {
  collectGarbage()
}

/** Processes Identify calls. */
export function runIdentifies(calls: readonly IdentifyCall[]): IdentifyResult {
  return processIdentifies(calls, { ...workerData, claims })
}
