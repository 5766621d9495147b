import { workerData } from 'piscina'
import { createBatchProcessor } from './create-batch-processor.ts'
import type { Task, TaskResult } from './task.ts'

const processor = await createBatchProcessor(workerData)

/** The pool's entry. */
export async function runTask(task: Task): Promise<TaskResult> {
  return await processor.process(task)
}
