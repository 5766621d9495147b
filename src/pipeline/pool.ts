import { Piscina } from 'piscina'
import type { ProjectId } from '../contract/ids.ts'
import { ServiceError } from '../contract/service-error.ts'
import { monotonicMs } from '../kernel/clock.ts'
import { entryPath } from '../kernel/installation.ts'
import { LIMITS } from '../kernel/limits.ts'
import type { Logger } from '../kernel/log.ts'
import { StallDetector } from '../kernel/stall-detector.ts'
import { activeTracer, SharedSteps, type Span } from '../kernel/tracing.ts'
import { countStateCall } from '../store/state/measured-state-store.ts'
import { BlockCommits, type CommitBlocks, type CommitFailure } from './block-commits.ts'
import type { WorkerSettings } from './create-batch-processor.ts'
import type { IdentifyCall, IdentifyResult } from './identify/identify-task.ts'
import { countAnomalies, countOutcomes } from './ingest-metrics.ts'
import { type PackedTask, workBytesOf } from './packed-task.ts'
import type { BatchRequest, Outcome, PackedOutcome, Task, TaskResult } from './task.ts'
import { OutputBuffers, SpareTasks } from './task-memory.ts'
import { TaskQueue } from './task-queue.ts'

/** Receives the outcome of a request: one of the two methods is called, once. */
export interface Reply {
  /** The outcome; accepted rows are durable. */
  answer(outcome: Outcome): void
  /** The rows could not be committed, or the worker died. */
  fail(error: unknown): void
  /** The span of the request, when it is traced. */
  readonly span?: Span | undefined
}

/** Dispatching a task and committing it cost about 150 us; this many requests, or bytes, make that negligible. */
const GATHER_REQUESTS = LIMITS.taskRequestsMax
const GATHER_BYTES = 256 * 1024

/** Time that a request waits for others to share its task, under load. */
const GATHER_MS = 2

/** Maximum wait of a queue's first request; a slower queue accepts no more, because clients would give up first. */
const QUEUE_MS_MAX = 5000

/** By then a worker may have recovered. */
const RETRY_AFTER_SECONDS = 1

/** Queued tasks: each has its own memory, however little it uses. */
const WAITING_TASKS_MAX = 512

/** The share of one project in the queued tasks and in the pool's bytes. */
const PROJECT_SHARE = 3 / 8

/** A task and its replies, in the order of its requests. */
interface Gathered {
  readonly task: PackedTask
  replies: Reply[]
  /** Monotonic time of its first request. */
  readonly sinceMs: number
  isAtWorker: boolean
}

/** Identifies a submitted request; see {@link ValidationPool.withdraw}. */
export type PoolTicket = object

/**
 * The validation threads. Requests that arrive while all workers are busy share a task: passing a task between threads
 * costs as much as validating dozens of events.
 */
export class ValidationPool {
  readonly #piscina: Piscina<Task, TaskResult>
  readonly #commits: BlockCommits
  readonly #tasksMax: number
  /** Queued tasks. */
  readonly #waiting = new TaskQueue<Gathered>()
  readonly #spares = new SpareTasks()
  readonly #outputs = new OutputBuffers()
  readonly #stalls: StallDetector
  #waitingCount = 0
  #waitingBytes = 0
  #heldBytes = 0
  #tasksInFlight = 0
  #lastTaskRequests = 0
  #isScheduled = false
  #timer: NodeJS.Timeout | undefined

  constructor(
    options: CommitBlocks & {
      readonly workers: number
      readonly settings: WorkerSettings
      readonly log: Logger
    },
  ) {
    this.#commits = new BlockCommits({ ...options, onRoom: () => this.#scheduleFlush() })
    this.#stalls = new StallDetector({ subject: 'a worker of the pool', log: options.log })
    this.#tasksMax = options.workers * LIMITS.tasksPerWorkerMax
    this.#piscina = new Piscina<Task, TaskResult>({
      filename: entryPath('pipeline/worker'),
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

  /** Requests waiting for a worker. */
  get waitingCount(): number {
    return this.#waitingCount
  }

  /** Whether the pool accepts no more requests (backpressure). */
  get isFull(): boolean {
    if (this.#heldBytes >= LIMITS.pooledBytesMax || this.#areAllStalled) return true
    if (this.#waiting.length >= WAITING_TASKS_MAX) return true
    return isOld(this.#waiting.sharedSinceMs)
  }

  /** Whether a project has used up its share of the queue; other projects may still submit. */
  isFullFor(project: ProjectId): boolean {
    const { length, sinceMs, heldBytes } = this.#waiting.ownOf(project)
    if (heldBytes >= LIMITS.pooledBytesMax * PROJECT_SHARE) return true
    return length >= WAITING_TASKS_MAX * PROJECT_SHARE || isOld(sinceMs)
  }

  /** Running tasks, and the concurrency limit. */
  get tasks(): { readonly running: number; readonly max: number } {
    return { running: this.#tasksInFlight, max: this.#tasksMax }
  }

  /** Busy seconds of all worker threads since they started. */
  get activeSeconds(): number {
    const actives = this.#piscina.threads.map(({ performance }) => performance.eventLoopUtilization().active)
    return actives.reduce((sum, active) => sum + active, 0) / 1000
  }

  /** Queues a request; its bytes are copied before this returns. */
  submit(request: BatchRequest, reply: Reply): PoolTicket {
    const heldBytes = request.bytes.length
    this.#waiting.begin({ project: request.projectId, workBytes: workBytesOf(request), heldBytes })
    this.#heldBytes += heldBytes
    const gathered = this.#add(request, reply, monotonicMs())
    this.#scheduleFlush()
    return gathered
  }

  /** Cancels a queued request without a reply; returns false when a worker has it, and its reply will be called. */
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
      this.#spares.give(gathered.task)
    }
    return true
  }

  /** Processes Identify calls in a worker. Rejects when the worker dies or stalls. */
  async runIdentifies(calls: readonly IdentifyCall[]): Promise<IdentifyResult> {
    const options: object = { name: 'runIdentifies' }
    // Piscina is typed for tasks of events; this task goes to another entry of the worker.
    const run = this.#piscina.run.bind(this.#piscina) as (task: unknown, options: object) => Promise<unknown>
    const stall = Promise.withResolvers<never>()
    const work = this.#stalls.during(
      () => run(calls, options),
      () => stall.reject(stalled()),
    )
    return (await Promise.race([work, stall.promise])) as IdentifyResult
  }

  /** Drops idle buffers and collects the garbage of the worker threads. */
  async releaseMemory(): Promise<void> {
    this.#outputs.clear()
    this.#spares.clear()
    const options: object = { name: 'releaseMemory' }
    // As many tasks as the threads take at once: each gets its share.
    const run = this.#piscina.run.bind(this.#piscina) as (task: unknown, options: object) => Promise<unknown>
    await Promise.all(Array.from({ length: this.#tasksMax }, () => run(undefined, options)))
  }

  /** Finishes the running tasks and ends the threads. */
  async close(): Promise<void> {
    await this.#piscina.close()
  }

  /** Whether every worker is stalled. */
  get #areAllStalled(): boolean {
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
    const task = this.#spares.take(bytes.length)
    const fresh: Gathered = { task, replies: [], sinceMs, isAtWorker: false }
    this.#waiting.push(projectId, fresh)
    return fresh
  }

  /**
   * Dispatches queued tasks: at once for a lone client, or when a task is full enough; otherwise after GATHER_MS, so that
   * requests of other connections share the task.
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
    while (this.#tasksInFlight < this.#tasksMax && !this.#commits.isFull) {
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
      const lent = this.#outputs.take()
      const result = await this.#execute(gathered, lent)
      if (result.outcomes.length < task.length) this.#requeue(gathered, result.outcomes.length)
      steps?.end('pool task', { 'millrace.task.requests': gathered.replies.length })
      const { blockBytes, rowCount, output = lent } = result
      if (output !== lent) this.#outputs.give(lent)
      result.stateCalls.forEach(countStateCall)
      const block = Buffer.from(output, 0, blockBytes)
      const failure = await this.#commits.commit(block, rowCount, result)
      const replies = takeReplies(gathered)
      steps?.end('journal commit')
      steps?.addTo(replies)
      this.#end(task, 0)
      // A block that could not be committed may still be in use by a write.
      if (!failure) {
        this.#outputs.give(output)
        this.#spares.give(gathered.task)
      }
      settle(replies, result, failure)
    } catch (error) {
      this.#end(task, 0)
      // The memory is not reused: the worker may still read it.
      for (const reply of takeReplies(gathered)) reply.fail(error)
    }
  }

  /** Queues requests again that the worker did not reach, and moves the projects that slowed it down to separate tasks. */
  #requeue({ task, replies, sinceMs }: Gathered, from: number): void {
    for (let index = 0; index < from; index++) {
      const work = task.workAt(index)
      if (work) this.#waiting.markSlow(work.project)
    }
    const left = replies.splice(from)
    // Replies that already failed because the worker stalled are gone.
    if (left.length === 0) this.#end(task, from)
    for (const [index, reply] of left.entries()) {
      const request = task.requestAt(from + index)
      if (request) this.#add(request, reply, sinceMs)
    }
    task.cut(from)
    this.#scheduleFlush()
  }

  /** Ends the accounting of requests from an index on: they are done, or abandoned. */
  #end(task: PackedTask, from: number): void {
    for (let index = from; index < task.length; index++) {
      const work = task.workAt(index)
      if (!work) continue
      this.#waiting.end(work)
      this.#heldBytes -= work.heldBytes
    }
  }

  /**
   * Fails the requests of a stalled worker, whose rows may still be committed. Queued tasks go on with the other workers, or
   * fail too when all are stalled.
   */
  #failStalled(atWorker: Gathered): void {
    for (const reply of takeReplies(atWorker)) reply.fail(stalled())
    if (!this.#areAllStalled) return
    for (const gathered of this.#waiting.clear()) {
      this.#end(gathered.task, 0)
      for (const reply of takeReplies(gathered)) reply.fail(stalled())
    }
    this.#waitingCount = 0
    this.#waitingBytes = 0
  }

  async #execute(gathered: Gathered, output: SharedArrayBuffer): Promise<TaskResult> {
    try {
      const task = gathered.task.seal(output)
      return await this.#stalls.during(
        () => this.#piscina.run(task),
        () => this.#failStalled(gathered),
      )
    } finally {
      this.#tasksInFlight--
      this.#scheduleFlush()
    }
  }
}

/** Whether a request queued now would wait too long. */
function isOld(sinceMs: number | undefined): boolean {
  return sinceMs !== undefined && monotonicMs() - sinceMs > QUEUE_MS_MAX
}

/** Takes the replies out, so that none is called twice. */
function takeReplies(gathered: Gathered): readonly Reply[] {
  const { replies } = gathered
  gathered.replies = []
  return replies
}

/** A worker stalls: its task, or the I/O that the task needs, hangs. */
function stalled(): ServiceError {
  return new ServiceError({
    code: 'unavailable',
    reason: 'STORE_UNAVAILABLE',
    message: 'the service is stalled; send the request again',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
}

function settle(replies: readonly Reply[], result: TaskResult, failure: CommitFailure | undefined): void {
  const { outcomes } = result
  const counted = failure ? outcomes.filter((outcome) => !hasRows(outcome)) : outcomes
  countOutcomes(counted)
  if (!failure) countAnomalies(result)
  outcomes.forEach((outcome, index) => {
    const reply = replies[index]
    if (failure && hasRows(outcome)) reply?.fail(failure.error)
    else reply?.answer(typeof outcome === 'number' ? { accepted: outcome } : outcome)
  })
}

function hasRows(outcome: PackedOutcome): boolean {
  if (typeof outcome === 'number') return outcome > 0
  return 'accepted' in outcome && outcome.accepted > 0
}
