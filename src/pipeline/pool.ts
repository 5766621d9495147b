import { Piscina } from 'piscina'
import { entryPath } from '../kernel/entry-path.ts'
import { LIMITS } from '../kernel/limits.ts'
import { countOddities, countOutcome } from './ingest-metrics.ts'
import { packTask } from './pack-task.ts'
import type { BatchRequest, Outcome, Task, TaskResult } from './task.ts'
import type { WorkerSettings } from './worker-settings.ts'

/** Makes the rows of a finished task durable; its requests are answered when this resolves. */
export type KeepBlock = (block: Uint8Array, rowCount: number) => Promise<void>

/** A hand-over costs about 30 us; a task of this many requests, or bytes, makes that negligible. */
const GATHER_REQUESTS = 32
const GATHER_BYTES = 32 * 1024

/** How long a request may wait for others to travel with it, while there are others. */
const GATHER_MS = 1

interface Waiting {
  readonly request: BatchRequest
  readonly answer: (outcome: Outcome) => void
  readonly fail: (error: unknown) => void
}

/**
 * The validation threads. Requests that arrive while all workers are busy travel together: one hand-over between
 * threads costs as much as validating dozens of events.
 */
export class ValidationPool {
  readonly #piscina: Piscina<Task, TaskResult>
  readonly #keepBlock: KeepBlock
  readonly #tasksMax: number
  #waiting: Waiting[] = []
  #waitingBytes = 0
  #tasksInFlight = 0
  #lastTaskRequests = 0
  #isScheduled = false
  #timer: NodeJS.Timeout | undefined

  constructor(options: {
    readonly workers: number
    readonly settings: WorkerSettings
    readonly keepBlock: KeepBlock
  }) {
    this.#keepBlock = options.keepBlock
    this.#tasksMax = options.workers * LIMITS.tasksPerWorkerMax
    this.#piscina = new Piscina<Task, TaskResult>({
      filename: entryPath('./worker', import.meta.url),
      name: 'runTask',
      workerData: options.settings,
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

  /** Resolves with the outcome once the rows are durable; rejects when they could not be kept or the worker died. */
  submit(request: BatchRequest): Promise<Outcome> {
    return new Promise((answer, fail) => {
      this.#waiting.push({ request, answer, fail })
      this.#waitingBytes += request.bytes.length
      this.#scheduleFlush()
    })
  }

  /** Ends the threads after the tasks that are under way. */
  async close(): Promise<void> {
    await this.#piscina.close()
  }

  /**
   * Sends what waits: at once for a client that is alone, or when a task is full enough to be worth its cost; else a
   * moment later, so that the requests of other connections travel along.
   */
  #scheduleFlush(): void {
    const isWorthwhile = this.#waitingBytes >= GATHER_BYTES || this.#waiting.length >= GATHER_REQUESTS
    if (isWorthwhile && this.#timer) {
      clearTimeout(this.#timer)
      this.#timer = undefined
      this.#isScheduled = false
    }
    if (this.#isScheduled || this.#waiting.length === 0) return
    this.#isScheduled = true
    if (isWorthwhile || this.#lastTaskRequests <= 1) setImmediate(() => this.#flush())
    else this.#timer = setTimeout(() => this.#flush(), GATHER_MS)
  }

  #flush(): void {
    this.#isScheduled = false
    this.#timer = undefined
    while (this.#waiting.length > 0 && this.#tasksInFlight < this.#tasksMax) {
      this.#tasksInFlight++
      void this.#run(this.#takeWaiting())
    }
  }

  /** As many waiting requests as one task may carry; at least one. */
  #takeWaiting(): Waiting[] {
    let bytes = 0
    const end = this.#waiting.findIndex(({ request }, index) => {
      bytes += request.bytes.length
      return index > 0 && (index >= LIMITS.taskRequestsMax || bytes > LIMITS.taskBytesMax)
    })
    const batch = this.#waiting.splice(0, end === -1 ? this.#waiting.length : end)
    for (const { request } of batch) this.#waitingBytes -= request.bytes.length
    this.#lastTaskRequests = batch.length
    return batch
  }

  async #run(batch: readonly Waiting[]): Promise<void> {
    try {
      const result = await this.#execute(batch)
      const refusal = result.rowCount === 0 ? undefined : await this.#keep(result)
      result.outcomes.forEach((outcome, index) => {
        const hasRows = 'accepted' in outcome && outcome.accepted > 0
        if (hasRows && refusal) {
          batch[index]?.fail(refusal.error)
        } else {
          countOutcome(outcome)
          batch[index]?.answer(outcome)
        }
      })
      if (!refusal) countOddities(result)
    } catch (error) {
      for (const { fail } of batch) fail(error)
    }
  }

  async #execute(batch: readonly Waiting[]): Promise<TaskResult> {
    try {
      const task = packTask(batch.map(({ request }) => request))
      return await this.#piscina.run(task, { transferList: [task.packed] })
    } finally {
      this.#tasksInFlight--
      this.#scheduleFlush()
    }
  }

  async #keep({ block, rowCount }: TaskResult): Promise<{ readonly error: unknown } | undefined> {
    try {
      await this.#keepBlock(block, rowCount)
      return undefined
    } catch (error) {
      return { error }
    }
  }
}
