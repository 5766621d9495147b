import { workerData } from 'piscina'
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

/** Processes Identify calls. */
export function runIdentifies(calls: readonly IdentifyCall[]): IdentifyResult {
  return processIdentifies(calls, { ...workerData, claims })
}
