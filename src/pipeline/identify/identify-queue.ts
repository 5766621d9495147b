import { LIMITS } from '../../kernel/limits.ts'
import type { Logger } from '../../kernel/log.ts'
import { counter } from '../../kernel/metrics.ts'
import { activeTracer, SharedSteps, type Span } from '../../kernel/tracing.ts'
import type { IdentifyCall, IdentifyOutcome, IdentifyResult } from './identify-task.ts'

const identified = counter('millrace_identifies_accepted_total', 'Acknowledged Identify calls.')
const unmerged = counter(
  'millrace_identifies_unmerged_total',
  'Identify calls that merged nothing because their external id is a placeholder such as null.',
)

const lateClaims = counter(
  'millrace_identifies_late_claims_total',
  'Identify calls with an anonymous id that another external id has claimed; each worker compares its own recent calls only.',
)

/** Counts rows of Identify calls, wherever they come from. */
export function countIdentified(rowCount: number): void {
  identified.inc(rowCount)
}

/** Options of a queue. */
export interface IdentifyQueueOptions {
  /** Runs a task in a worker. */
  readonly run: (calls: readonly IdentifyCall[]) => Promise<IdentifyResult>
  /** Makes rows durable; calls are answered when this resolves. */
  readonly commitRows: (rows: Buffer, rowCount: number) => Promise<void>
  readonly log: Logger
}

/** Limit of bytes in the queue, including calls whose client has left; a call has a few hundred. */
const HELD_BYTES_MAX = 32 * 1024 * 1024

interface Waiting {
  readonly call: IdentifyCall
  readonly span: Span | undefined
  readonly resolve: (outcome: IdentifyOutcome) => void
  readonly reject: (error: unknown) => void
}

/** Batches Identify calls: while one batch is in a worker, the next one gathers. */
export class IdentifyQueue {
  readonly #options: IdentifyQueueOptions
  #waiting: Waiting[] = []
  #heldBytes = 0
  #isRunning = false
  #idle: (() => void)[] = []

  constructor(options: IdentifyQueueOptions) {
    this.#options = options
  }

  /** Whether the queue accepts no more calls (backpressure). */
  get isFull(): boolean {
    return this.#heldBytes >= HELD_BYTES_MAX
  }

  /** Resolves with the outcome once the row is durable; rejects when the commit failed or the worker died. */
  async submit(call: IdentifyCall, span?: Span): Promise<IdentifyOutcome> {
    this.#heldBytes += call.bytes.length
    try {
      return await new Promise((resolve, reject) => {
        this.#waiting.push({ call, span, resolve, reject })
        if (!this.#isRunning) void this.#run()
      })
    } finally {
      this.#heldBytes -= call.bytes.length
    }
  }

  /** Cancels a queued call, which rejects with `error`; has no effect on a call that a worker already has. */
  withdraw(call: IdentifyCall, error: unknown): void {
    const index = this.#waiting.findIndex((waiting) => waiting.call === call)
    if (index === -1) return
    const [waiting] = this.#waiting.splice(index, 1)
    waiting?.reject(error)
  }

  /** Resolves when no calls are queued or running. */
  async drain(): Promise<void> {
    if (this.#isRunning) await new Promise<void>((resolve) => this.#idle.push(resolve))
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    while (this.#waiting.length > 0) await this.#process(this.#waiting.splice(0, LIMITS.taskRequestsMax))
    this.#isRunning = false
    for (const resolve of this.#idle.splice(0)) resolve()
  }

  /** Never rejects. */
  async #process(batch: readonly Waiting[]): Promise<void> {
    const { run, commitRows, log } = this.#options
    try {
      const steps = activeTracer() ? new SharedSteps() : undefined
      const result = await run(batch.map(({ call }) => call))
      steps?.end('pool task', { 'millrace.task.requests': batch.length })
      if (result.rowCount > 0) await commitRows(Buffer.from(result.rows), result.rowCount)
      steps?.end('journal commit')
      steps?.addTo(batch)
      countIdentified(result.rowCount)
      lateClaims.inc(result.lateClaimCount)
      if (result.unmergedCount > 0) {
        unmerged.inc(result.unmergedCount)
        log.warn(
          { calls: result.unmergedCount },
          'Identify calls have a placeholder as external id; nothing was merged',
        )
      }
      batch.forEach(({ resolve, reject }, index) => {
        const outcome = result.outcomes[index]
        if (outcome) resolve(outcome)
        else reject(new Error('a worker returned no outcome for a call'))
      })
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }
}
