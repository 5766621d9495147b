import { ServiceError } from '../../contract/service-error.ts'
import { monotonicMs } from '../../kernel/clock.ts'
import { countersOf } from '../../kernel/metrics.ts'
import { toInterruption } from './interruption.ts'

/** The bounds of a {@link QueryGate}. */
export interface QueryGateLimits {
  /** Concurrency limit: queries that run at the same time. */
  readonly runningMax: number
  /** Longest queue of one project; further queries are rejected. */
  readonly waitingPerProjectMax: number
  /** Longest wait in the queue before a query is rejected, in milliseconds. */
  readonly waitMsMax: number
  /** A slot rests after a query: so many times as long as the query ran, and at most so long. Not at all when absent. */
  readonly rest?: { readonly times: number; readonly msMax: number }
}

const refused = countersOf('millrace_queries_refused_total', 'Queries rejected before they ran, by reason.', {
  label: 'reason',
  values: ['line_full', 'waited_too_long'],
})

interface Waiter {
  readonly start: () => void
}

/** The last time a query of a project arrived or ended. */
interface Presence {
  readonly project: number
  readonly ms: number
}

/** Time for which slots stay reserved for a project after its last query: a reader sends the next one by then. */
const PRESENT_MS = 60_000

/**
 * Limits the concurrency of queries. Waiting queries stand in one queue per project, served in rotation, so that a busy
 * project delays itself first. While several projects are active, each leaves a part of the slots to the others; a project
 * alone may use them all, and the next project to arrive gets the first free slot.
 */
export class QueryGate {
  readonly #limits: QueryGateLimits
  /** Queues in the order of rotation. */
  readonly #queues = new Map<number, Waiter[]>()
  /** Running queries by project. */
  readonly #running = new Map<number, number>()
  readonly #perProjectMax: number
  readonly #nowMs: () => number
  #runningCount = 0
  /** The last active project and the last one before it: enough to decide whether a project is alone. */
  #latest: Presence | undefined
  #latestOther: Presence | undefined

  constructor(limits: QueryGateLimits, nowMs: () => number = monotonicMs) {
    this.#limits = limits
    this.#nowMs = nowMs
    // A quarter is reserved for other projects, which would otherwise wait for the longest queries.
    const reserved = Math.max(1, Math.floor(limits.runningMax / 4))
    this.#perProjectMax = Math.max(1, limits.runningMax - reserved)
  }

  /** Running and waiting queries, for metrics. */
  get counts(): { readonly running: number; readonly waiting: number } {
    const waiting = [...this.#queues.values()].reduce((sum, queue) => sum + queue.length, 0)
    return { running: this.#runningCount, waiting }
  }

  /** Runs `work` in a slot. Throws `resource_exhausted` when the queue is full or the wait is too long. */
  async pass<T>(project: number, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#enter(project, signal)
    const startMs = this.#nowMs()
    try {
      return await work()
    } finally {
      const { times, msMax } = this.#limits.rest ?? { times: 0, msMax: 0 }
      const restMs = Math.min((this.#nowMs() - startMs) * times, msMax)
      if (restMs > 0) setTimeout(() => this.#free(project), restMs).unref()
      else this.#free(project)
    }
  }

  #free(project: number): void {
    this.#leave(project)
    this.#fill()
  }

  async #enter(project: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) throw toInterruption(signal.reason, undefined)
    this.#notice(project)
    if (!this.#queues.has(project) && this.#hasSlot(project)) return this.#takeSlot(project)
    const queue = this.#queues.get(project) ?? []
    if (queue.length >= this.#limits.waitingPerProjectMax) throw overloaded('line_full')
    this.#queues.set(project, queue)
    await this.#wait(project, queue, signal)
  }

  async #wait(project: number, queue: Waiter[], signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiter: Waiter = { start: resolve }
    queue.push(waiter)
    this.#fill()
    const leave = (reason: unknown): void => {
      const index = queue.indexOf(waiter)
      if (index < 0) return
      queue.splice(index, 1)
      if (queue.length === 0) this.#queues.delete(project)
      reject(reason)
    }
    const timer = setTimeout(() => leave(overloaded('waited_too_long')), this.#limits.waitMsMax)
    const onAbort = (): void => leave(toInterruption(signal.reason, undefined))
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      await promise
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
    }
  }

  #notice(project: number): void {
    if (this.#latest?.project !== project) this.#latestOther = this.#latest
    this.#latest = { project, ms: this.#nowMs() }
  }

  #isAlone(project: number): boolean {
    const ownCount = this.#running.get(project) ?? 0
    if (ownCount < this.#runningCount) return false
    const other = this.#latest?.project === project ? this.#latestOther : this.#latest
    return other === undefined || this.#nowMs() - other.ms > PRESENT_MS
  }

  #hasSlot(project: number): boolean {
    const { runningMax } = this.#limits
    if (this.#runningCount >= runningMax) return false
    return (this.#running.get(project) ?? 0) < this.#perProjectMax || this.#isAlone(project)
  }

  #takeSlot(project: number): void {
    this.#runningCount++
    this.#running.set(project, (this.#running.get(project) ?? 0) + 1)
  }

  #leave(project: number): void {
    this.#notice(project)
    this.#rotate(project)
    this.#runningCount--
    const left = (this.#running.get(project) ?? 0) - 1
    if (left > 0) this.#running.set(project, left)
    else this.#running.delete(project)
  }

  /** Gives free slots to the first queues of the rotation that may have one. */
  #fill(): void {
    const next = [...this.#queues].find(([project]) => this.#hasSlot(project))
    if (!next) return
    const [project, queue] = next
    const waiter = queue.shift()
    this.#rotate(project)
    this.#takeSlot(project)
    waiter?.start()
    this.#fill()
  }

  /** Moves a queue to the end of the rotation. */
  #rotate(project: number): void {
    const queue = this.#queues.get(project)
    this.#queues.delete(project)
    if (queue && queue.length > 0) this.#queues.set(project, queue)
  }
}

const REFUSALS = {
  line_full: 'too many queries of this project are waiting',
  waited_too_long: 'the query waited too long for a free slot',
} as const

function overloaded(reason: keyof typeof REFUSALS): ServiceError {
  refused.inc({ reason })
  return new ServiceError({
    code: 'resource_exhausted',
    reason: 'OVERLOADED',
    message: `${REFUSALS[reason]}; try again`,
    retryAfterSeconds: 2,
  })
}
