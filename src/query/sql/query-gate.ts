import { ServiceError } from '../../contract/service-error.ts'
import { monotonicMs } from '../../kernel/clock.ts'
import { countersOf } from '../../kernel/metrics.ts'
import { toInterruption } from './interruption.ts'

/** The bounds of a {@link QueryGate}. */
export interface QueryGateLimits {
  /** Queries that run at once. */
  readonly runningMax: number
  /** Queries of one project that wait; one more is refused. */
  readonly waitingPerProjectMax: number
  /** How long a query waits for its turn before it is refused. */
  readonly waitMsMax: number
}

const refused = countersOf('millrace_queries_refused_total', 'Queries that never had their turn, by why.', {
  label: 'reason',
  values: ['line_full', 'waited_too_long'],
})

interface Waiter {
  readonly start: () => void
}

/** When a project asked last, or had its answer. */
interface Presence {
  readonly project: number
  readonly ms: number
}

/** For as long after its last query others make room for a project: who looks at a page asks again by then. */
const PRESENT_MS = 60_000

/**
 * Lets a number of queries run at once. The others wait, each project in a line of its own, and the lines take turns, so
 * that a project that asks a lot delays itself first. While several projects ask, a part of the places is kept from each;
 * one that asks alone has them all, and whoever comes beside it has the first place that is free.
 */
export class QueryGate {
  readonly #limits: QueryGateLimits
  /** Lines in the order of their turns. */
  readonly #lines = new Map<number, Waiter[]>()
  /** Queries that run, by project. */
  readonly #running = new Map<number, number>()
  readonly #perProjectMax: number
  readonly #nowMs: () => number
  #runningCount = 0
  /** The last to be here, and the last that was another than that one: enough to know of anybody who else was here. */
  #latest: Presence | undefined
  #latestOther: Presence | undefined

  constructor(limits: QueryGateLimits, nowMs: () => number = monotonicMs) {
    this.#limits = limits
    this.#nowMs = nowMs
    // A quarter stays for others, who would wait for queries that take their whole time.
    const kept = Math.max(1, Math.floor(limits.runningMax / 4))
    this.#perProjectMax = Math.max(1, limits.runningMax - kept)
  }

  /** Queries that run and that wait, for metrics. */
  get counts(): { readonly running: number; readonly waiting: number } {
    const waiting = [...this.#lines.values()].reduce((sum, line) => sum + line.length, 0)
    return { running: this.#runningCount, waiting }
  }

  /** Runs `work` when it is its turn. Throws `resource_exhausted` when the line is full or the wait is too long. */
  async pass<T>(project: number, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#enter(project, signal)
    try {
      return await work()
    } finally {
      this.#leave(project)
      this.#fill()
    }
  }

  async #enter(project: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) throw toInterruption(signal.reason, undefined)
    this.#notice(project)
    if (!this.#lines.has(project) && this.#hasPlace(project)) return this.#occupy(project)
    const line = this.#lines.get(project) ?? []
    if (line.length >= this.#limits.waitingPerProjectMax) throw overloaded('line_full')
    this.#lines.set(project, line)
    await this.#wait(project, line, signal)
  }

  async #wait(project: number, line: Waiter[], signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiter: Waiter = { start: resolve }
    line.push(waiter)
    this.#fill()
    const leave = (reason: unknown): void => {
      const index = line.indexOf(waiter)
      if (index < 0) return
      line.splice(index, 1)
      if (line.length === 0) this.#lines.delete(project)
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

  #hasPlace(project: number): boolean {
    const { runningMax } = this.#limits
    if (this.#runningCount >= runningMax) return false
    return (this.#running.get(project) ?? 0) < this.#perProjectMax || this.#isAlone(project)
  }

  #occupy(project: number): void {
    this.#runningCount++
    this.#running.set(project, (this.#running.get(project) ?? 0) + 1)
  }

  #leave(project: number): void {
    this.#notice(project)
    this.#sendBack(project)
    this.#runningCount--
    const left = (this.#running.get(project) ?? 0) - 1
    if (left > 0) this.#running.set(project, left)
    else this.#running.delete(project)
  }

  /** Gives the free places to the first of the lines whose turn it is. */
  #fill(): void {
    const turn = [...this.#lines].find(([project]) => this.#hasPlace(project))
    if (!turn) return
    const [project, line] = turn
    const waiter = line.shift()
    this.#sendBack(project)
    this.#occupy(project)
    waiter?.start()
    this.#fill()
  }

  /** The other lines have their turns first. */
  #sendBack(project: number): void {
    const line = this.#lines.get(project)
    this.#lines.delete(project)
    if (line && line.length > 0) this.#lines.set(project, line)
  }
}

const REFUSALS = {
  line_full: 'too many queries wait',
  waited_too_long: 'the query waited too long for its turn',
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
