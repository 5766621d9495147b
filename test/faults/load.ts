import { Agent } from 'node:http'
import { monotonicMs, sleep } from '../../src/kernel/clock.ts'
import type { Prng } from '../../src/kernel/prng.ts'
import { PUBLIC_KEY } from '../harness/service.ts'
import type { Batch, BatchSource } from './batch-source.ts'
import type { EventSeries } from './event-series.ts'
import { type SendOutcome, sendBatch } from './send-batch.ts'

/** A bounded load of BatchCreate. */
export interface LoadOptions {
  readonly url: string
  readonly series: EventSeries
  readonly source: BatchSource
  readonly prng: Prng
  readonly connections: number
  /** All connections together; `Infinity` sends the next batch when one is answered. */
  readonly batchesPerSecond: number
  /** Probability that a client sends a batch twice at once. */
  readonly twin: number
  /** Probability that a client goes away without waiting for the answer. */
  readonly hangUp: number
}

const ANSWER_MS_MAX = 15_000

/** How long a connection rests after a batch that was not acknowledged. */
const REST_MS = 50

/** Clients that send until they are stopped, and then what is left until it is through. */
export class Load {
  /** Requests by how they ended. */
  readonly requests = new Map<string, number>()
  /** Refusals without the header `Retry-After`. */
  refusalsWithoutRetryAfter = 0
  readonly #options: LoadOptions
  readonly #agent: Agent
  #lanes: Promise<void>[] = []
  #failure: unknown
  #isRunning = false

  constructor(options: LoadOptions) {
    this.#options = options
    this.#agent = new Agent({ keepAlive: true, maxSockets: options.connections })
  }

  /** Begins to send. */
  start(): void {
    this.#isRunning = true
    this.#lanes = Array.from({ length: this.#options.connections }, async () => {
      await this.#runLane().catch((error: unknown) => {
        this.#failure ??= error
      })
    })
  }

  /** Sends nothing new any more; resolves when every request has ended. Rejects when an answer was a wrong one. */
  async stop(): Promise<void> {
    this.#isRunning = false
    await Promise.all(this.#lanes)
    if (this.#failure) throw this.#failure
  }

  /** Sends again what was not acknowledged, until it is. Rejects when that takes longer than `timeoutMs`. */
  async finish(timeoutMs: number): Promise<void> {
    const { source } = this.#options
    const giveUpMs = monotonicMs() + timeoutMs
    while (source.hasUnresolved) {
      if (monotonicMs() > giveUpMs) throw new Error(`batches are still refused after ${timeoutMs} ms`)
      await this.#send(source.nextUnresolved(), false)
    }
    this.#agent.destroy()
  }

  async #runLane(): Promise<void> {
    const { source, prng, connections, batchesPerSecond, twin, hangUp } = this.#options
    const everyMs = (1000 * connections) / batchesPerSecond
    let nextMs = monotonicMs() + prng.unit() * everyMs
    while (this.#isRunning) {
      await sleep(Math.max(0, nextMs - monotonicMs()))
      const batch = source.next()
      const hangsUp = prng.chance(hangUp)
      const copies = prng.chance(twin) ? [batch, batch] : [batch]
      await Promise.all(copies.map((copy) => this.#send(copy, hangsUp)))
      // A slot that was missed is gone: a backlog of requests is no load that a client makes.
      nextMs = Math.max(nextMs + everyMs, monotonicMs())
    }
  }

  async #send(batch: Batch, hangsUp: boolean): Promise<void> {
    const { series, source, url } = this.#options
    const outcome = await sendBatch(series.body(batch), {
      url,
      apiKey: PUBLIC_KEY,
      agent: this.#agent,
      timeoutMs: ANSWER_MS_MAX,
      hangsUp,
    })
    this.#count(outcome)
    source.settle(batch, outcome.ending)
    if (outcome.ending !== 'acknowledged') return await sleep(REST_MS)
    if (outcome.accepted !== batch.length) {
      throw new Error(`${batch.length} events were sent and ${outcome.accepted} accepted`)
    }
  }

  #count({ detail, ending, retryAfter }: SendOutcome): void {
    this.requests.set(detail, (this.requests.get(detail) ?? 0) + 1)
    if (ending === 'refused' && retryAfter === undefined) this.refusalsWithoutRetryAfter++
  }
}
