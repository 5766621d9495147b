import { move, transferableSymbol, valueSymbol, workerData } from 'piscina'
import { createBatchProcessor } from './create-batch-processor.ts'
import type { Task, TaskResult } from './task.ts'

/** Lets Piscina move the block to the edge's thread instead of copying it. */
class MovableResult {
  readonly #result: TaskResult

  constructor(result: TaskResult) {
    this.#result = result
  }

  get [transferableSymbol](): object {
    return [this.#result.block.buffer]
  }

  get [valueSymbol](): TaskResult {
    return this.#result
  }
}

const processor = await createBatchProcessor(workerData)

/** The pool's entry. */
export async function runTask(task: Task): Promise<unknown> {
  const result = await processor.process(task)
  return result.rowCount === 0 ? result : move(new MovableResult(result))
}
