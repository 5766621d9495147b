import { LIMITS } from '../kernel/limits.ts'
import { observedGauge } from '../kernel/metrics.ts'
import type { Answer } from '../rpc/answer.ts'
import type { CallHead } from '../rpc/open-unary-call.ts'
import type { BodyBudget, BodyOwner } from './body-budget.ts'
import type { ClientHead } from './client-facts.ts'

/** A request before its body, as a transport presents it. */
export interface RequestHead extends CallHead, ClientHead {
  readonly path: string
  readonly hasTrailers: boolean
  /** Without the question mark. */
  readonly query: string
  /** True when the object stands for several requests of a connection, whose heads are equal: then it can be a key of what was read from it. */
  readonly isRepeated?: boolean
  header(name: string): string | undefined
}

/** An RPC that the edge serves itself, over any transport. */
export interface EdgeMethod {
  /** Serves a request to its end. Must be called in the tick in which its headers came in. */
  serve(head: RequestHead, exchange: Exchange): void
}

/** The reason for reading only a part of a body. */
export type BodyRefusal = 'too_large' | 'no_budget'

/** The outcome of reading a body. The bytes of a body are only valid during the call that hands it over. */
export type BodyOutcome = { readonly body: Buffer } | { readonly refused: BodyRefusal }

/** One request and its answer, independent of the transport. */
export interface Exchange {
  /** True when the answer is out or the client left: nothing more can be sent. */
  readonly isOver: boolean
  /** Calls back when the client leaves before the answer is out. */
  onGone(listener: () => void): void
  /**
   * Reads the body up to `bytesMax`; a body without an owner may be discarded. Must be called in the
   * tick in which the request arrived. Calls back once, or never if the client leaves or is dropped before.
   */
  readBody(bytesMax: number, done: (outcome: BodyOutcome) => void, owner?: BodyOwner): void
  /** Sends a whole answer; does nothing when the client left. */
  answer(answer: Answer): void
}

/** Counts requests under way, so that a stop can wait for the last one. */
export class RequestCount {
  #count = 0
  #isDraining = false
  #onIdle: (() => void)[] = []

  /** True once shutdown has begun: answers ask clients to close the connection. */
  get isDraining(): boolean {
    return this.#isDraining
  }

  /** Requests under way. */
  get running(): number {
    return this.#count
  }

  /** A request came in. */
  enter(): void {
    this.#count++
  }

  /** Its answer is out, or the client left. */
  leave(): void {
    this.#count--
    if (this.#count === 0) for (const resolve of this.#onIdle.splice(0)) resolve()
  }

  /** Resolves when none is under way. */
  async drain(): Promise<void> {
    this.#isDraining = true
    if (this.#count > 0) await new Promise<void>((resolve) => this.#onIdle.push(resolve))
  }
}

/** Registers the gauges of requests and bodies in the edge. */
export function observeIntake({
  budget,
  count,
}: {
  readonly budget: BodyBudget
  readonly count: RequestCount
}): void {
  observedGauge('millrace_requests_running', 'Requests in flight.', () => count.running)
  observedGauge(
    'millrace_body_bytes',
    'Bytes of request bodies being received or processed.',
    () => budget.bytes,
  )
  observedGauge(
    'millrace_body_max_bytes',
    'Limit of bytes of request bodies in flight; beyond it requests are rejected.',
    () => LIMITS.inFlightBodyBytesMax,
  )
}
