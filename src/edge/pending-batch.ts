import { type ErrorCode, ServiceError } from '../contract/service-error.ts'
import { machineMs } from '../kernel/clock.ts'
import type { Logger } from '../kernel/log.ts'
import type { Span } from '../kernel/tracing.ts'
import { countRejection } from '../pipeline/ingest-metrics.ts'
import type { PoolTicket, Reply, ValidationPool } from '../pipeline/pool.ts'
import type { Outcome } from '../pipeline/task.ts'
import type { Answer, HeaderField } from '../rpc/answer.ts'
import type { Codec } from '../rpc/content-type.ts'
import type { RequestMessage } from '../rpc/request-message.ts'
import type { UnaryCall } from '../rpc/unary-call.ts'
import type { ApiKeyGrant } from '../store/catalog/api-keys.ts'
import type { KeyResolver } from '../store/catalog/key-resolver.ts'
import { encodeBatchCreateResponse } from './batch-create-response.ts'
import type { ClientFactsReader, ClientHead } from './client-facts.ts'
import type { Exchange } from './exchange.ts'
import type { RateLimiter, RateState } from './rate-limit.ts'
import { deadlineExceeded, invalidApiKey, overloaded, rateLimited } from './refusals.ts'
import type { RequestWatch } from './request-watch.ts'

/** Longer timers fire at once. */
const TIMER_MS_MAX = 2 ** 31 - 1

/**
 * Up to this length of a body it is cheaper to look for what needs the client's address than to read the address
 * (benchmark cases `e2e/*`).
 */
const SEARCHED_BYTES_MAX = 4096

/** What a batch needs on its way. */
export interface PendingBatchParts {
  readonly keys: KeyResolver
  readonly pool: ValidationPool
  readonly rateLimiter: RateLimiter | undefined
  readonly clients: ClientFactsReader
  /** True when every client's address is looked up. */
  readonly locatesClients: boolean
  readonly log: Logger
}

/** Which call a batch came with, and where its answer goes. */
export interface PendingCall {
  readonly call: UnaryCall
  readonly key: string
  readonly exchange: Exchange
  readonly watch: RequestWatch
}

/**
 * A batch from its whole body to its answer. Every request of ingestion is one, so it is an object that the pool calls
 * back, and no chain of promises (benchmark case `e2e/json-batch-1`).
 */
export class PendingBatch implements Reply {
  readonly #parts: PendingBatchParts
  readonly #pending: PendingCall
  #rate: RateState | undefined
  #deadlineMs: number | undefined
  #ticket: PoolTicket | undefined
  #timer: NodeJS.Timeout | undefined
  #isAnswered = false

  constructor(parts: PendingBatchParts, pending: PendingCall) {
    this.#parts = parts
    this.#pending = pending
    const { timeoutMs } = pending.call
    if (timeoutMs === undefined) return
    this.#deadlineMs = machineMs() + timeoutMs
    this.#timer = setTimeout(() => this.#expire(timeoutMs), Math.min(timeoutMs, TIMER_MS_MAX))
  }

  get span(): Span | undefined {
    return this.#pending.watch.span
  }

  /** Looks the key up first. Never rejects. */
  async lookUp(message: RequestMessage, head: ClientHead): Promise<void> {
    const { key } = this.#pending
    try {
      const grant = await this.#parts.keys.resolve(key)
      if (grant) this.submit(grant, message, head)
      else this.fail(invalidApiKey(key))
    } catch (error) {
      this.fail(error)
    }
  }

  /** Hands the batch to the pool, which copies the message in this tick, or answers at once. */
  submit(grant: ApiKeyGrant, message: RequestMessage, head: ClientHead): void {
    const { rateLimiter } = this.#parts
    if (!rateLimiter) return this.#handOver(grant, message, head)
    const rate = rateLimiter.peek(this.#pending.key)
    if (rate) return this.#submitAt(rate, grant, { message, head })
    // The body is only there in this tick.
    const { bytes, coding } = message
    const copy = { bytes: Buffer.from(bytes), coding }
    void rateLimiter
      .admit(this.#pending.key)
      .then((admitted) => this.#submitAt(admitted, grant, { message: copy, head }))
  }

  /** A batch that a worker has is taken or refused there, as it decides: its answer is not told before. */
  #expire(timeoutMs: number): void {
    const { pool } = this.#parts
    if (this.#ticket === undefined || pool.withdraw(this.#ticket, this))
      this.fail(deadlineExceeded(timeoutMs))
  }

  #submitAt(
    rate: RateState,
    grant: ApiKeyGrant,
    { message, head }: { readonly message: RequestMessage; readonly head: ClientHead },
  ): void {
    this.#rate = rate
    if (rate.isAllowed) this.#handOver(grant, message, head)
    else this.fail(rateLimited(rate.retryAfterSeconds))
  }

  #handOver({ projectId }: ApiKeyGrant, message: RequestMessage, head: ClientHead): void {
    // Its time was over while its key was looked up.
    if (this.#isAnswered) return
    const { call } = this.#pending
    const { pool } = this.#parts
    if (pool.isFullFor(projectId)) return this.fail(overloaded())
    try {
      const client = this.#parts.clients.read(head, {
        address: this.#parts.locatesClients || mayBeCookieless(call.codec, message),
      })
      const { bytes, coding } = message
      const deadlineMs = this.#deadlineMs
      this.#ticket = pool.submit({ projectId, codec: call.codec, coding, bytes, client, deadlineMs }, this)
    } catch (error) {
      this.fail(error)
    }
  }

  answer(outcome: Outcome): void {
    const { call, key } = this.#pending
    // The pool has counted what it refused.
    if (!('accepted' in outcome)) return this.#send(call.fail(toError(outcome, call)), outcome.code)
    this.#parts.rateLimiter?.charge(key, outcome.accepted)
    if (!this.#isAnswered) this.#send(call.succeed(encodeBatchCreateResponse(call.codec, outcome)), 'ok')
  }

  fail(thrown: unknown): void {
    if (this.#isAnswered) return
    const { call } = this.#pending
    const error = ServiceError.from(thrown)
    if (error.code === 'internal') {
      this.#parts.log.error({ requestId: call.requestId, err: error.cause }, 'BatchCreate failed')
    }
    countRejection(error.reason)
    this.#send(call.fail(error), error.code)
  }

  #send(answer: Answer, code: ErrorCode | 'ok'): void {
    if (this.#isAnswered) return
    this.#isAnswered = true
    this.#pending.watch.end(code)
    if (this.#timer) clearTimeout(this.#timer)
    this.#pending.exchange.answer(this.#rate ? withHeaders(answer, this.#rate) : answer)
  }
}

/**
 * False only for a batch that surely has no cookieless event: the field's name cannot stand in JSON but plainly, or with
 * escaped letters. In protobuf its tag is too short to be looked for.
 */
function mayBeCookieless(codec: Codec, { bytes, coding }: RequestMessage): boolean {
  if (codec === 'proto' || coding !== 'identity' || bytes.length > SEARCHED_BYTES_MAX) return true
  return bytes.includes('"cookieless"') || bytes.includes('\\u')
}

function toError(
  outcome: Exclude<Outcome, { readonly accepted: number }>,
  { timeoutMs }: UnaryCall,
): ServiceError {
  if (outcome.code === 'deadline_exceeded') return deadlineExceeded(timeoutMs ?? 0)
  const { code, reason, message, violation } = outcome
  return new ServiceError({ code, reason, message, ...(violation ? { violations: [violation] } : {}) })
}

function withHeaders(answer: Answer, rate: RateState): Answer {
  const headers: readonly HeaderField[] = [...answer.headers, ...rate.headers]
  return { ...answer, headers }
}
