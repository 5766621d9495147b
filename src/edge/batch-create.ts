import type { ServiceError } from '../contract/service-error.ts'
import { countRejection } from '../pipeline/ingest-metrics.ts'
import type { Answer } from '../rpc/answer.ts'
import type { Codec } from '../rpc/content-type.ts'
import { type CallHead, type CallSettings, openUnaryCall } from '../rpc/open-unary-call.ts'
import type { RequestMessage } from '../rpc/request-message.ts'
import type { UnaryCall } from '../rpc/unary-call.ts'
import type { ApiKeyGrant } from '../store/catalog/api-keys.ts'
import { encodeBatchCreateResponse } from './batch-create-response.ts'
import { type ClientHead, SenderOfBody } from './client-facts.ts'
import type { BodyOutcome, Exchange } from './exchange.ts'
import { chooseKey } from './ingest-key.ts'
import { PendingBatch, type PendingBatchParts } from './pending-batch.ts'
import { invalidApiKey, overloaded, unreadBody } from './refusals.ts'
import { RequestWatch } from './request-watch.ts'

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

/** What ingestion needs. */
export interface BatchCreateOptions extends PendingBatchParts {
  readonly errorDomain: string
  readonly bodyBytesMax: number
  /** True while the process holds as many bodies as it may, or rows that cannot be stored. */
  readonly isOverloaded: () => boolean
}

/** `sdk.events.v1.EventsService/BatchCreate`: authenticate, admit, validate in the pool, answer. */
export class BatchCreate {
  readonly #options: BatchCreateOptions
  readonly #settings: CallSettings

  constructor(options: BatchCreateOptions) {
    this.#options = options
    this.#settings = { domain: options.errorDomain }
  }

  /** Serves a request to its end. Must be called in the tick in which its headers came in. */
  serve(head: RequestHead, exchange: Exchange): void {
    const watch = new RequestWatch(BATCH_CREATE_PATH, head)
    const key = chooseKey(head)
    const call = openUnaryCall(key.isBeacon ? asBeacon(head) : head, this.#settings)
    watch.identify(call.requestId)
    if (call.kind === 'refused') {
      watch.end(call.error.code)
      return exchange.readBody(0, () => exchange.answer(call.answer))
    }
    const watched = { call, watch }
    const grant = key.text === '' ? null : this.#options.keys.peek(key.text)
    const refusal = this.#refuseEarly(key.text, grant)
    if (refusal) return exchange.readBody(0, () => exchange.answer(this.#refuse(watched, refusal)))
    const { bodyBytesMax } = this.#options
    const take = (outcome: BodyOutcome): void => {
      if ('body' in outcome) this.#take(watched, { key: key.text, grant, head, body: outcome.body }, exchange)
      else exchange.answer(this.#refuse(watched, unreadBody(outcome.refused, bodyBytesMax)))
    }
    exchange.readBody(
      call.bodyBytesMax(bodyBytesMax),
      take,
      new SenderOfBody(key.text, head, this.#options.clients),
    )
  }

  /** What can be told without the body and without waiting; the grant is `undefined` while it must be looked up. */
  #refuseEarly(key: string, grant: ApiKeyGrant | null | undefined): ServiceError | undefined {
    if (grant === null) return invalidApiKey(key)
    return this.#options.isOverloaded() ? overloaded() : undefined
  }

  #refuse({ call, watch }: WatchedCall, error: ServiceError): Answer {
    countRejection(error.reason)
    watch.end(error.code)
    return call.fail(error)
  }

  /** Answers in this tick when nothing has to be waited for. */
  #take(watched: WatchedCall, sent: SentBatch, exchange: Exchange): void {
    const { call, watch } = watched
    const message = call.readMessage(sent.body, this.#options.bodyBytesMax)
    if (!message.ok) return exchange.answer(this.#refuse(watched, message.error))
    if (sent.grant && isEmptyBatch(call.codec, message.value)) {
      watch.end('ok')
      return exchange.answer(call.succeed(encodeBatchCreateResponse(call.codec, { accepted: 0 })))
    }
    const batch = new PendingBatch(this.#options, { call, key: sent.key, exchange, watch })
    if (sent.grant) return batch.submit(sent.grant, message.value, sent.head)
    // The body is only there in this tick.
    const { bytes, coding } = message.value
    void batch.lookUp({ bytes: Buffer.from(bytes), coding }, sent.head)
  }
}

/** A call and who watches it. */
interface WatchedCall {
  readonly call: UnaryCall
  readonly watch: RequestWatch
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
