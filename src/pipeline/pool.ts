import { Piscina } from 'piscina'
import type { ProjectId } from '../contract/ids.ts'
import { entryPath } from '../kernel/entry-path.ts'
import { LIMITS } from '../kernel/limits.ts'
import type { Outcome, Task, TaskResult } from './task.ts'

/** Takes the rows of each finished task before its requests are answered. */
export type TakeBlock = (block: Uint8Array, rowCount: number) => void

interface Waiting {
  readonly projectId: ProjectId
  readonly body: Buffer
  readonly answer: (outcome: Outcome) => void
  readonly fail: (error: unknown) => void
}

/**
 * The validation threads. Requests that arrive while all workers are busy travel together: one hand-over between
 * threads costs as much as validating dozens of events.
 */
export class ValidationPool {
  readonly #piscina: Piscina<Task, TaskResult>
  readonly #takeBlock: TakeBlock
  readonly #tasksMax: number
  #waiting: Waiting[] = []
  #tasksInFlight = 0
  #flushScheduled = false

  constructor(options: { readonly workers: number; readonly takeBlock: TakeBlock }) {
    this.#takeBlock = options.takeBlock
    this.#tasksMax = options.workers * LIMITS.tasksPerWorkerMax
    this.#piscina = new Piscina<Task, TaskResult>({
      filename: entryPath('./worker', import.meta.url),
      name: 'runTask',
      minThreads: options.workers,
      maxThreads: options.workers,
      idleTimeout: Number.POSITIVE_INFINITY,
      concurrentTasksPerWorker: LIMITS.tasksPerWorkerMax,
      // Piscina's default blocks the worker's event loop between tasks.
      atomics: 'disabled',
      recordTiming: false,
    })
  }

  /** Requests that wait for a worker. */
  get waitingCount(): number {
    return this.#waiting.length
  }

  /** Resolves with the outcome once the rows were taken; rejects when the worker died. */
  submit(projectId: ProjectId, body: Buffer): Promise<Outcome> {
    return new Promise((answer, fail) => {
      this.#waiting.push({ projectId, body, answer, fail })
      this.#scheduleFlush()
    })
  }

  /** Ends the threads after the tasks that are under way. */
  async close(): Promise<void> {
    await this.#piscina.close()
  }

  #scheduleFlush(): void {
    if (this.#flushScheduled) return
    this.#flushScheduled = true
    setImmediate(() => {
      this.#flushScheduled = false
      this.#flush()
    })
  }

  #flush(): void {
    while (this.#waiting.length > 0 && this.#tasksInFlight < this.#tasksMax) {
      this.#tasksInFlight++
      void this.#run(this.#takeWaiting())
    }
  }

  /** As many waiting requests as one task may carry; at least one. */
  #takeWaiting(): Waiting[] {
    let bytes = 0
    const end = this.#waiting.findIndex(({ body }, index) => {
      bytes += body.length
      return index > 0 && (index >= LIMITS.taskRequestsMax || bytes > LIMITS.taskBytesMax)
    })
    return this.#waiting.splice(0, end === -1 ? this.#waiting.length : end)
  }

  async #run(batch: readonly Waiting[]): Promise<void> {
    try {
      const task = packTask(batch)
      const result = await this.#piscina.run(task, { transferList: [task.bodies] })
      if (result.rowCount > 0) this.#takeBlock(result.block, result.rowCount)
      result.outcomes.forEach((outcome, index) => {
        batch[index]?.answer(outcome)
      })
    } catch (error) {
      for (const { fail } of batch) fail(error)
    } finally {
      this.#tasksInFlight--
      this.#flush()
    }
  }
}

function packTask(batch: readonly Waiting[]): Task {
  const bodies = new ArrayBuffer(batch.reduce((sum, { body }) => sum + body.length, 0))
  const bytes = new Uint8Array(bodies)
  let offset = 0
  const requests = batch.map(({ projectId, body }) => {
    bytes.set(body, offset)
    offset += body.length
    return { projectId, offset: offset - body.length, length: body.length }
  })
  return { requests, bodies }
}
