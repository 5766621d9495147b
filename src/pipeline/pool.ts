import { Piscina } from 'piscina'
import type { ProjectId } from '../contract/ids.ts'
import { ServiceError } from '../contract/service-error.ts'
import { monotonicMs } from '../kernel/clock.ts'
import { entryPath } from '../kernel/entry-path.ts'
import { LIMITS } from '../kernel/limits.ts'
import type { Logger } from '../kernel/log.ts'
import { StallDetector } from '../kernel/stall-detector.ts'
import { activeTracer, SharedSteps, type Span } from '../kernel/tracing.ts'
import { countStateCall } from '../store/state/measured-state-store.ts'
import type { WorkerSettings } from './create-batch-processor.ts'
import type { IdentifyCall, IdentifyResult } from './identify/identify-task.ts'
import { countOddities, countOutcomes } from './ingest-metrics.ts'
import { PackedTask, workBytesOf } from './packed-task.ts'
import type { BatchRequest, Outcome, PackedOutcome, Task, TaskResult } from './task.ts'
import { TaskQueue } from './task-queue.ts'

/** Makes the rows of a finished task durable; its requests are answered, and the memory of the block is used again, when this resolves. */
export type KeepBlock = (block: Uint8Array, rowCount: number) => Promise<void>

/** Whom the pool tells what became of a request: one of both, once. */
export interface Reply {
  /** The outcome; accepted rows are durable. */
  answer(outcome: Outcome): void
  /** The rows could not be kept, or the worker died. */
  fail(error: unknown): void
  /** The span of the request, when somebody traces. */
  readonly span?: Span | undefined
}

/** A hand-over and its commit cost about 150 us; a task of this many requests, or bytes, makes that negligible. */
const GATHER_REQUESTS = LIMITS.taskRequestsMax
const GATHER_BYTES = 256 * 1024

/** How long a request may wait for others to travel with it, while there are others. */
const GATHER_MS = 2

/** A queue whose first request has waited for longer takes no further ones: they would wait in vain. */
const QUEUE_MS_MAX = 5000

/** After so long another try may find a worker that gets on. */
const RETRY_AFTER_SECONDS = 1

/** Tasks that wait: each has memory of its own, however little is in it. */
const WAITING_TASKS_MAX = 512

/** What one project may have of the tasks that wait, and of the bytes in the pool. */
const PROJECT_SHARE = 3 / 8

/** Tasks whose memory is kept for the next ones, beyond those that are at work. */
const SPARES_MAX = 4

/** A task and whom to answer, in the order of its requests. */
interface Gathered {
  readonly task: PackedTask
  replies: Reply[]
  /** Monotonic time of its first request. */
  sinceMs: number
  isAtWorker: boolean
}

/** Where a request waits; see {@link ValidationPool.withdraw}. */
export type PoolTicket = object

/**
 * The validation threads. Requests that arrive while all workers are busy travel together: one hand-over between
 * threads costs as much as validating dozens of events.
 */
export class ValidationPool {
  readonly #piscina: Piscina<Task, TaskResult>
  readonly #keepBlock: KeepBlock
  readonly #tasksMax: number
  /** Tasks that wait for a worker. */
  readonly #waiting = new TaskQueue<Gathered>()
  readonly #spares: Gathered[] = []
  readonly #stalls: StallDetector
  #waitingCount = 0
  #waitingBytes = 0
  #heldBytes = 0
  #tasksInFlight = 0
  #lastTaskRequests = 0
  #isScheduled = false
  #timer: NodeJS.Timeout | undefined

  constructor(options: {
    readonly workers: number
    readonly settings: WorkerSettings
    readonly keepBlock: KeepBlock
    readonly log: Logger
  }) {
    this.#keepBlock = options.keepBlock
    this.#stalls = new StallDetector({ subject: 'a worker of the pool', log: options.log })
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
    return this.#waitingCount
  }

  /** True when no further request should be submitted. */
  get isFull(): boolean {
    if (this.#heldBytes >= LIMITS.pooledBytesMax || this.#isStuck) return true
    if (this.#waiting.length >= WAITING_TASKS_MAX) return true
    return isOld(this.#waiting.sharedSinceMs)
  }

  /** True when a project has sent as much as it may have waiting: others are taken in all the same. */
  isFullFor(project: ProjectId): boolean {
    const { length, sinceMs, heldBytes } = this.#waiting.ownOf(project)
    if (heldBytes >= LIMITS.pooledBytesMax * PROJECT_SHARE) return true
    return length >= WAITING_TASKS_MAX * PROJECT_SHARE || isOld(sinceMs)
  }

  /** Tasks that workers are at, and as many as they may be at. */
  get tasks(): { readonly running: number; readonly max: number } {
    return { running: this.#tasksInFlight, max: this.#tasksMax }
  }

  /** Seconds in which the workers' threads were not idle, all together, since each of them began. */
  get activeSeconds(): number {
    const actives = this.#piscina.threads.map(({ performance }) => performance.eventLoopUtilization().active)
    return actives.reduce((sum, active) => sum + active, 0) / 1000
  }

  /** Takes a request in; its bytes are copied before this returns. Answers where it waits. */
  submit(request: BatchRequest, reply: Reply): PoolTicket {
    const heldBytes = request.bytes.length
    this.#waiting.begin({ project: request.projectId, workBytes: workBytesOf(request), heldBytes })
    this.#heldBytes += heldBytes
    const gathered = this.#add(request, reply, monotonicMs())
    this.#scheduleFlush()
    return gathered
  }

  /** Takes a request out again, which is forgotten then; false when a worker has it, and its reply will be called. */
  withdraw(ticket: PoolTicket, reply: Reply): boolean {
    const gathered = ticket as Gathered
    const index = gathered.isAtWorker ? -1 : gathered.replies.indexOf(reply)
    const work = index === -1 ? undefined : gathered.task.remove(index)
    if (!work) return false
    gathered.replies.splice(index, 1)
    this.#waitingCount--
    this.#waitingBytes -= work.workBytes
    this.#heldBytes -= work.heldBytes
    this.#waiting.end(work)
    if (gathered.replies.length === 0) {
      this.#waiting.remove(gathered)
      this.#recycle(gathered)
    }
    return true
  }

  /** Reads Identify calls in a worker. Rejects when the worker died or does not get on. */
  async runIdentifies(calls: readonly IdentifyCall[]): Promise<IdentifyResult> {
    const options: object = { name: 'runIdentifies' }
    // The pool is typed by its task for events; this one goes to the entry of that name.
    const run = this.#piscina.run.bind(this.#piscina) as (task: unknown, options: object) => Promise<unknown>
    const stall = Promise.withResolvers<never>()
    const work = this.#stalls.during(
      () => run(calls, options),
      () => stall.reject(stalled()),
    )
    return (await Promise.race([work, stall.promise])) as IdentifyResult
  }

  /** Ends the threads after the tasks that are under way. */
  async close(): Promise<void> {
    await this.#piscina.close()
  }

  /** Whether no worker gets on. */
  get #isStuck(): boolean {
    return this.#stalls.stalledCount >= this.#tasksMax
  }

  #add(request: BatchRequest, reply: Reply, sinceMs: number): Gathered {
    const workBytes = workBytesOf(request)
    const gathered = this.#gather(request, workBytes, sinceMs)
    gathered.task.add(request)
    gathered.replies.push(reply)
    this.#waitingCount++
    this.#waitingBytes += workBytes
    return gathered
  }

  #gather({ projectId, bytes }: BatchRequest, workBytes: number, sinceMs: number): Gathered {
    const last = this.#waiting.last(projectId)
    if (last?.task.hasRoom(workBytes)) return last
    const fresh = this.#spares.pop() ?? {
      task: new PackedTask(bytes.length),
      replies: [],
      sinceMs: 0,
      isAtWorker: false,
    }
    fresh.sinceMs = sinceMs
    this.#waiting.push(projectId, fresh)
    return fresh
  }

  /**
   * Sends what waits: at once for a client that is alone, or when a task is full enough to be worth its cost; else a
   * moment later, so that the requests of other connections travel along.
   */
  #scheduleFlush(): void {
    const isWorthwhile = this.#waitingBytes >= GATHER_BYTES || this.#waitingCount >= GATHER_REQUESTS
    if (isWorthwhile && this.#timer) {
      clearTimeout(this.#timer)
      this.#timer = undefined
      this.#isScheduled = false
    }
    if (this.#isScheduled || this.#waitingCount === 0) return
    this.#isScheduled = true
    if (isWorthwhile || this.#lastTaskRequests <= 1) setImmediate(() => this.#flush())
    else this.#timer = setTimeout(() => this.#flush(), GATHER_MS)
  }

  #flush(): void {
    this.#isScheduled = false
    this.#timer = undefined
    while (this.#tasksInFlight < this.#tasksMax) {
      const next = this.#waiting.shift()
      if (!next) return
      this.#tasksInFlight++
      next.isAtWorker = true
      this.#waitingCount -= next.replies.length
      this.#waitingBytes -= next.task.workBytes
      this.#lastTaskRequests = next.replies.length
      void this.#run(next)
    }
  }

  /** Never rejects. */
  async #run(gathered: Gathered): Promise<void> {
    const { task } = gathered
    try {
      const steps = activeTracer() ? new SharedSteps() : undefined
      const result = await this.#execute(gathered)
      if (result.outcomes.length < task.length) this.#putBack(gathered, result.outcomes.length)
      steps?.end('pool task', { 'millrace.task.requests': gathered.replies.length })
      const { blockBytes, rowCount, output } = result
      result.stateCalls.forEach(countStateCall)
      const refusal =
        rowCount === 0 ? undefined : await this.#keep(task.readBlock(blockBytes, output), rowCount)
      const replies = takeReplies(gathered)
      steps?.end('journal commit')
      steps?.addTo(replies)
      this.#end(task, 0)
      // What could not be kept may still be on its way to the disk.
      if (!refusal) this.#recycle(gathered)
      settle(replies, result, refusal)
    } catch (error) {
      this.#end(task, 0)
      // The memory is dropped: nobody knows who still reads it.
      for (const reply of takeReplies(gathered)) reply.fail(error)
    }
  }

  /** Requests that a worker did not get to wait for their next turn, and projects that took it so long wait for themselves. */
  #putBack({ task, replies, sinceMs }: Gathered, from: number): void {
    for (let index = 0; index < from; index++) {
      const work = task.workAt(index)
      if (work) this.#waiting.slow(work.project)
    }
    const left = replies.splice(from)
    // Who was told already that the worker does not get on is forgotten.
    if (left.length === 0) this.#end(task, from)
    for (const [index, reply] of left.entries()) {
      const request = task.requestAt(from + index)
      if (request) this.#add(request, reply, sinceMs)
    }
    task.cut(from)
    this.#scheduleFlush()
  }

  /** The work of the requests from an index on is done, or given up. */
  #end(task: PackedTask, from: number): void {
    for (let index = from; index < task.length; index++) {
      const work = task.workAt(index)
      if (!work) continue
      this.#waiting.end(work)
      this.#heldBytes -= work.heldBytes
    }
  }

  /**
   * Lets nobody wait for a worker that does not get on; what it is at may still be kept. The others go on with what waits,
   * while there are others.
   */
  #giveUp(atWorker: Gathered): void {
    for (const reply of takeReplies(atWorker)) reply.fail(stalled())
    if (!this.#isStuck) return
    for (const gathered of this.#waiting.clear()) {
      this.#end(gathered.task, 0)
      for (const reply of takeReplies(gathered)) reply.fail(stalled())
    }
    this.#waitingCount = 0
    this.#waitingBytes = 0
  }

  async #execute(gathered: Gathered): Promise<TaskResult> {
    try {
      const task = gathered.task.seal()
      return await this.#stalls.during(
        () => this.#piscina.run(task),
        () => this.#giveUp(gathered),
      )
    } finally {
      this.#tasksInFlight--
      this.#scheduleFlush()
    }
  }

  async #keep(block: Uint8Array, rowCount: number): Promise<Refusal | undefined> {
    try {
      await this.#keepBlock(block, rowCount)
      return undefined
    } catch (error) {
      return { error }
    }
  }

  #recycle(gathered: Gathered): void {
    if (this.#spares.length >= SPARES_MAX || !gathered.task.isWorthKeeping) return
    gathered.task.clear()
    gathered.isAtWorker = false
    this.#spares.push(gathered)
  }
}

/** Whether who comes now would wait in vain. */
function isOld(sinceMs: number | undefined): boolean {
  return sinceMs !== undefined && monotonicMs() - sinceMs > QUEUE_MS_MAX
}

/** Whom to answer: nobody is answered twice. */
function takeReplies(gathered: Gathered): readonly Reply[] {
  const { replies } = gathered
  gathered.replies = []
  return replies
}

/** A worker does not get on: what it works on, or reads and writes on its way, hangs. */
function stalled(): ServiceError {
  return new ServiceError({
    code: 'unavailable',
    reason: 'STORE_UNAVAILABLE',
    message: 'the service does not get on; send the request again',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
}

/** Why rows could not be kept. */
interface Refusal {
  readonly error: unknown
}

function settle(replies: readonly Reply[], result: TaskResult, refusal: Refusal | undefined): void {
  const { outcomes } = result
  const kept = refusal ? outcomes.filter((outcome) => !hasRows(outcome)) : outcomes
  countOutcomes(kept)
  if (!refusal) countOddities(result)
  outcomes.forEach((outcome, index) => {
    const reply = replies[index]
    if (refusal && hasRows(outcome)) reply?.fail(refusal.error)
    else reply?.answer(typeof outcome === 'number' ? { accepted: outcome } : outcome)
  })
}

function hasRows(outcome: PackedOutcome): boolean {
  if (typeof outcome === 'number') return outcome > 0
  return 'accepted' in outcome && outcome.accepted > 0
}
