import { type ErrorCode, ServiceError } from '../contract/service-error.ts'
import { type Clock, machineMs } from '../kernel/clock.ts'
import type { Logger } from '../kernel/log.ts'
import type { Span } from '../kernel/tracing.ts'
import type { IdentifyQueue } from '../pipeline/identify/identify-queue.ts'
import type { IdentifyCall, IdentifyOutcome } from '../pipeline/identify/identify-task.ts'
import type { Answer } from '../rpc/answer.ts'
import type { Codec } from '../rpc/content-type.ts'
import { openUnaryCall } from '../rpc/open-unary-call.ts'
import type { UnaryCall } from '../rpc/unary-call.ts'
import type { KeyResolver } from '../store/catalog/key-resolver.ts'
import type { RequestHead } from './batch-create.ts'
import { type ClientFactsReader, SenderOfBody } from './client-facts.ts'
import type { BodyOutcome, Exchange } from './exchange.ts'
import { chooseKey } from './ingest-key.ts'
import { deadlineExceeded, invalidApiKey, overloaded, unreadBody } from './refusals.ts'
import { RequestWatch } from './request-watch.ts'

/** Path of the RPC that tells who somebody is. */
export const IDENTIFY_PATH = '/sdk.profiles.v1.ProfilesSDKService/Identify'

/** Longer timers fire at once. */
const TIMER_MS_MAX = 2 ** 31 - 1

/** What Identify needs. */
export interface IdentifyOptions {
  readonly keys: KeyResolver
  readonly queue: IdentifyQueue
  readonly clients: ClientFactsReader
  readonly clock: Clock
  readonly log: Logger
  readonly errorDomain: string
  readonly bodyBytesMax: number
  readonly isOverloaded: () => boolean
}

/** `sdk.profiles.v1.ProfilesSDKService/Identify`: authenticate, check in a worker, make durable, answer. */
export class Identify {
  readonly #options: IdentifyOptions
  #lastMicros = 0

  constructor(options: IdentifyOptions) {
    this.#options = options
  }

  /** Serves a request to its end. Must be called in the tick in which its headers came in. */
  serve(head: RequestHead, exchange: Exchange): void {
    const { keys, clients, errorDomain, bodyBytesMax } = this.#options
    const watch = new RequestWatch(IDENTIFY_PATH, head)
    const key = chooseKey(head).text
    const call = openUnaryCall(head, { domain: errorDomain })
    watch.identify(call.requestId)
    const finish = ({ answer, code }: Ended): void => {
      watch.end(code)
      exchange.answer(answer)
    }
    if (call.kind === 'refused') {
      return exchange.readBody(0, () => finish({ answer: call.answer, code: call.error.code }))
    }
    const isRefused = key === '' || keys.peek(key) === null
    const refusal = isRefused ? invalidApiKey(key) : this.#isOverloaded ? overloaded() : undefined
    if (refusal) return exchange.readBody(0, () => finish(refuse(call, refusal)))
    const receivedMicros = this.#receive()
    const take = (outcome: BodyOutcome): void => {
      if (!('body' in outcome)) return finish(refuse(call, unreadBody(outcome.refused, bodyBytesMax)))
      // The memory of the body is the transport's: it is copied before this tick ends.
      const body = Buffer.from(outcome.body)
      const deadlineMs = call.timeoutMs === undefined ? undefined : machineMs() + call.timeoutMs
      const sent = { key, body, receivedMicros, deadlineMs, span: watch.span }
      void this.#run(call, sent).then(finish)
    }
    exchange.readBody(call.bodyBytesMax(bodyBytesMax), take, new SenderOfBody(key, head, clients))
  }

  get #isOverloaded(): boolean {
    return this.#options.isOverloaded() || this.#options.queue.isFull
  }

  /** Microseconds since the Unix epoch, later than the call before: of two writes in a row the second one is the last. */
  #receive(): number {
    this.#lastMicros = Math.max(this.#lastMicros + 1, this.#options.clock.nowMs() * 1000)
    return this.#lastMicros
  }

  /** Never rejects. */
  async #run(call: UnaryCall, sent: SentIdentify): Promise<Ended> {
    const { timeoutMs } = call
    const late = Promise.withResolvers<Ended>()
    const pending: PendingIdentify = { queued: undefined, isLate: false }
    const work = this.#identify(call, sent, pending).catch((thrown: unknown) => this.#fail(call, thrown))
    if (timeoutMs === undefined) return await work
    const expire = (): void => {
      const error = deadlineExceeded(timeoutMs)
      // A call that a worker has is taken or refused there, as it decides: its answer is not told before.
      if (pending.queued) return this.#options.queue.withdraw(pending.queued, error)
      pending.isLate = true
      late.resolve(this.#fail(call, error))
    }
    const timer = setTimeout(expire, Math.min(timeoutMs, TIMER_MS_MAX))
    try {
      return await Promise.race([work, late.promise])
    } finally {
      clearTimeout(timer)
    }
  }

  async #identify(call: UnaryCall, sent: SentIdentify, pending: PendingIdentify): Promise<Ended> {
    const { key, body, receivedMicros, deadlineMs, span } = sent
    const message = call.readMessage(body, this.#options.bodyBytesMax)
    if (!message.ok) return refuse(call, message.error)
    const grant = await this.#options.keys.resolve(key)
    if (!grant) throw invalidApiKey(key)
    const { codec, timeoutMs = 0 } = call
    if (pending.isLate) throw deadlineExceeded(timeoutMs)
    const { projectId } = grant
    pending.queued = { projectId, codec, receivedMicros, deadlineMs, ...message.value }
    const outcome = await this.#options.queue.submit(pending.queued, span)
    if (outcome.isAccepted) return { answer: call.succeed(emptyMessage(codec)), code: 'ok' }
    return refuse(call, outcome.code === 'deadline_exceeded' ? deadlineExceeded(timeoutMs) : toError(outcome))
  }

  #fail(call: UnaryCall, thrown: unknown): Ended {
    const error = ServiceError.from(thrown)
    if (error.code === 'internal') {
      this.#options.log.error({ requestId: call.requestId, err: error.cause }, 'Identify failed')
    }
    return refuse(call, error)
  }
}

/** How a call ended. */
interface Ended {
  readonly answer: Answer
  readonly code: ErrorCode | 'ok'
}

function refuse(call: UnaryCall, error: ServiceError): Ended {
  return { answer: call.fail(error), code: error.code }
}

/** A call on its way. */
interface PendingIdentify {
  queued: IdentifyCall | undefined
  /** Its client gave up before it was in the queue. */
  isLate: boolean
}

/** What came with a call. */
interface SentIdentify {
  readonly key: string
  readonly body: Buffer
  readonly receivedMicros: number
  /** In `machineMs`. */
  readonly deadlineMs: number | undefined
  readonly span: Span | undefined
}

function emptyMessage(codec: Codec): Buffer {
  return Buffer.from(codec === 'json' ? '{}' : '')
}

function toError(outcome: Extract<IdentifyOutcome, { isAccepted: false }>): ServiceError {
  const { code, reason, message, violation } = outcome
  return new ServiceError({ code, reason, message, ...(violation ? { violations: [violation] } : {}) })
}
