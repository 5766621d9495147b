import { ServiceError } from '../contract/service-error.ts'
import type { Logger } from '../kernel/log.ts'
import { countRejection } from '../pipeline/ingest-metrics.ts'
import type { ValidationPool } from '../pipeline/pool.ts'
import type { Outcome } from '../pipeline/task.ts'
import type { Answer, HeaderField } from '../rpc/answer.ts'
import type { Codec } from '../rpc/content-type.ts'
import { type CallHead, openUnaryCall } from '../rpc/open-unary-call.ts'
import { bodyTooLarge } from '../rpc/protocol-errors.ts'
import type { RequestMessage } from '../rpc/request-message.ts'
import type { UnaryCall } from '../rpc/unary-call.ts'
import type { ApiKeyGrant } from '../store/catalog/api-keys.ts'
import type { KeyResolver } from '../store/catalog/key-resolver.ts'
import { encodeBatchCreateResponse } from './batch-create-response.ts'
import type { ClientFactsReader, ClientHead } from './client-facts.ts'
import type { Exchange } from './exchange.ts'
import { chooseKey } from './ingest-key.ts'
import type { RateLimiter, RateState } from './rate-limit.ts'
import { deadlineExceeded, invalidApiKey, overloaded, rateLimited } from './refusals.ts'

/** Path of the RPC that ingests events. */
export const BATCH_CREATE_PATH = '/sdk.events.v1.EventsService/BatchCreate'

/** What a transport knows of a request before its body. */
export interface RequestHead extends CallHead, ClientHead {
  readonly path: string
  readonly hasTrailers: boolean
  /** Without the question mark. */
  readonly query: string
  header(name: string): string | undefined
}

/** Longer timers fire at once. */
const TIMER_MS_MAX = 2 ** 31 - 1

/** What ingestion needs. */
export interface BatchCreateOptions {
  readonly keys: KeyResolver
  readonly pool: ValidationPool
  readonly rateLimiter: RateLimiter | undefined
  readonly clients: ClientFactsReader
  /** True when every client's address is looked up. */
  readonly locatesClients: boolean
  readonly log: Logger
  readonly errorDomain: string
  readonly bodyBytesMax: number
  /** True while the process holds as many bodies as it may, or rows that cannot be stored. */
  readonly isOverloaded: () => boolean
}

/** `sdk.events.v1.EventsService/BatchCreate`: authenticate, admit, validate in the pool, answer. */
export class BatchCreate {
  readonly #options: BatchCreateOptions
  readonly #settings: { readonly domain: string }

  constructor(options: BatchCreateOptions) {
    this.#options = options
    this.#settings = { domain: options.errorDomain }
  }

  /** Serves a request to its end. Must be called in the tick in which its headers came in. */
  serve(head: RequestHead, exchange: Exchange): void {
    const key = chooseKey(head)
    const call = openUnaryCall(key.isBeacon ? asBeacon(head) : head, this.#settings)
    if (call.kind === 'refused') return exchange.readBody(0, () => exchange.answer(call.answer))
    const grant = key.text === '' ? null : this.#options.keys.peek(key.text)
    const refusal = this.#refuseEarly(key.text, grant)
    if (refusal) return exchange.readBody(0, () => exchange.answer(this.#refuse(call, refusal)))
    const { bodyBytesMax } = this.#options
    exchange.readBody(call.bodyBytesMax(bodyBytesMax), (outcome) => {
      if ('body' in outcome) this.#take(call, { key: key.text, grant, head, body: outcome.body }, exchange)
      else exchange.answer(this.#refuse(call, bodyTooLarge(bodyBytesMax)))
    })
  }

  /** What can be told without the body and without waiting; the grant is `undefined` while it must be looked up. */
  #refuseEarly(key: string, grant: ApiKeyGrant | null | undefined): ServiceError | undefined {
    if (grant === null) return invalidApiKey(key)
    return this.#options.isOverloaded() ? overloaded() : undefined
  }

  #refuse(call: UnaryCall, error: ServiceError): Answer {
    countRejection(error.reason)
    return call.fail(error)
  }

  /** Answers in this tick when nothing has to be waited for. */
  #take(call: UnaryCall, sent: SentBatch, exchange: Exchange): void {
    const message = call.readMessage(sent.body, this.#options.bodyBytesMax)
    if (!message.ok) return exchange.answer(this.#refuse(call, message.error))
    if (sent.grant && isEmptyBatch(call.codec, message.value)) {
      return exchange.answer(call.succeed(encodeBatchCreateResponse(call.codec, { accepted: 0 })))
    }
    void this.#run(call, sent, message.value).then((answer) => exchange.answer(answer))
  }

  /** Never rejects. */
  async #run(call: UnaryCall, sent: SentBatch, message: RequestMessage): Promise<Answer> {
    const deadline = call.timeoutMs === undefined ? undefined : startDeadline(call.timeoutMs)
    try {
      const work = this.#ingest(call, sent, message)
      return deadline ? await Promise.race([work, deadline.over]) : await work
    } catch (thrown) {
      const error = ServiceError.from(thrown)
      if (error.code === 'internal') {
        this.#options.log.error({ requestId: call.requestId, err: error.cause }, 'BatchCreate failed')
      }
      return this.#refuse(call, error)
    } finally {
      deadline?.cancel()
    }
  }

  async #ingest(call: UnaryCall, { key, ...sent }: SentBatch, message: RequestMessage): Promise<Answer> {
    const { keys, pool, rateLimiter, clients } = this.#options
    const grant = sent.grant ?? (await keys.resolve(key))
    if (!grant) throw invalidApiKey(key)
    const rate = rateLimiter && (rateLimiter.peek(key) ?? (await rateLimiter.admit(key)))
    if (rate && !rate.isAllowed)
      return withHeaders(this.#refuse(call, rateLimited(rate.retryAfterSeconds)), rate)
    const client = clients.read(sent.head, {
      address: this.#options.locatesClients || mayBeCookieless(call.codec, message),
    })
    const outcome = await pool.submit({ projectId: grant.projectId, codec: call.codec, client, ...message })
    // The pool has counted what it refused.
    if (!('accepted' in outcome)) return call.fail(toError(outcome))
    rateLimiter?.charge(key, outcome.accepted)
    const answer = call.succeed(encodeBatchCreateResponse(call.codec, outcome))
    return rate ? withHeaders(answer, rate) : answer
  }
}

/** What came with a call. */
interface SentBatch {
  readonly key: string
  readonly grant: ApiKeyGrant | null | undefined
  readonly head: RequestHead
  readonly body: Buffer
}

function asBeacon(head: RequestHead): CallHead {
  const { method, path, hasTrailers } = head
  return { method, path, hasTrailers, isBeacon: true, header: (name) => head.header(name) }
}

/** A batch that has nothing for a worker to do; clients send one to see whether their key works. */
function isEmptyBatch(codec: Codec, { bytes, coding }: RequestMessage): boolean {
  if (coding !== 'identity') return false
  return codec === 'proto' ? bytes.length === 0 : bytes.length === 2 && bytes[0] === 0x7b && bytes[1] === 0x7d
}

/**
 * False only for a batch that surely has no cookieless event: the field's name cannot stand in JSON but plainly, or with
 * escaped letters. In protobuf its tag is too short to be looked for.
 */
function mayBeCookieless(codec: Codec, { bytes, coding }: RequestMessage): boolean {
  return codec === 'proto' || coding !== 'identity' || bytes.includes('"cookieless"') || bytes.includes('\\u')
}

function toError(outcome: Exclude<Outcome, { readonly accepted: number }>): ServiceError {
  const { code, reason, message, violation } = outcome
  return new ServiceError({ code, reason, message, ...(violation ? { violations: [violation] } : {}) })
}

function withHeaders(answer: Answer, rate: RateState): Answer {
  const headers: readonly HeaderField[] = [...answer.headers, ...rate.headers]
  return { ...answer, headers }
}

function startDeadline(timeoutMs: number): { readonly over: Promise<never>; cancel(): void } {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(deadlineExceeded(timeoutMs)), Math.min(timeoutMs, TIMER_MS_MAX))
  })
  return { over, cancel: () => clearTimeout(timer) }
}
