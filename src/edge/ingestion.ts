import type { ServiceError } from '../contract/service-error.ts'
import type { Answer } from '../rpc/answer.ts'
import { type CallHead, type CallSettings, openUnaryCall, type RefusedCall } from '../rpc/open-unary-call.ts'
import { chooseRequestId, REQUEST_ID_HEADER } from '../rpc/request-id.ts'
import type { UnaryCall } from '../rpc/unary-call.ts'
import type { ApiKeyGrant } from '../store/catalog/api-keys.ts'
import { isPersonalToken } from '../store/catalog/personal-tokens.ts'
import { nameTokenUse } from '../store/catalog/token-grants.ts'
import { SenderOfBody } from './client-facts.ts'
import type { BodyOutcome, EdgeMethod, Exchange, RequestHead } from './exchange.ts'
import {
  copyOf,
  findKeyRefusal,
  IngestionCall,
  type IngestionParts,
  type IngestionRpc,
  RequestRecorder,
} from './ingestion-call.ts'
import { invalidApiKey, overloaded, unreadBody } from './refusals.ts'

const PUBLIC_PREFIX = 'pub_'

/** The key of an ingestion request. */
export interface IngestKey {
  /** Empty when there is none, or a private key where only public ones may stand. A token is named with the project of the request. */
  readonly text: string
  /** Whether it came in the query string, as with a page's beacon. */
  readonly isBeacon: boolean
}

/**
 * The key of the header `x-api-key`, else a public key of the query parameter `api_key`, for requests that cannot set
 * headers. Query strings end up in logs: a private key there counts as none.
 */
export function chooseKey(source: Pick<RequestHead, 'query' | 'header'>): IngestKey {
  const sent = source.header('x-api-key')
  if (sent)
    return {
      text: isPersonalToken(sent) ? nameTokenUse(sent, source.header('x-project-id')) : sent,
      isBeacon: false,
    }
  const { query } = source
  const inQuery = query === '' ? null : new URLSearchParams(query).get('api_key')
  if (inQuery === null) return { text: '', isBeacon: false }
  return { text: inQuery.startsWith(PUBLIC_PREFIX) ? inQuery : '', isBeacon: true }
}

/** Dependencies of ingestion. */
export interface IngestionOptions extends IngestionParts {
  readonly errorDomain: string
  readonly bodyBytesMax: number
  /** Whether the process holds as many bodies as it may, or rows that cannot be stored. */
  readonly isOverloaded: () => boolean
}

/** The calls of one RPC of ingestion: authenticate, admit, queue for the workers, answer. */
export class Ingestion implements EdgeMethod {
  readonly #rpc: IngestionRpc
  readonly #options: IngestionOptions
  readonly #settings: CallSettings
  readonly #opened = new WeakMap<RequestHead, OpenedHead & { readonly call: UnaryCall }>()
  #lastMicros = 0

  constructor(rpc: IngestionRpc, options: IngestionOptions) {
    this.#rpc = rpc
    this.#options = options
    this.#settings = { domain: options.errorDomain }
  }

  serve(head: RequestHead, exchange: Exchange): void {
    const recorder = new RequestRecorder(this.#rpc.path, head)
    const { key, call } = this.#open(head)
    recorder.identify(call.requestId)
    if (call.kind === 'refused') {
      recorder.end(call.error.code)
      return exchange.readBody(0, () => exchange.answer(call.answer))
    }
    const grant = key.text === '' ? null : this.#options.keys.peek(key.text)
    const received: ReceivedRequest = {
      call,
      key: key.text,
      grant,
      head,
      exchange,
      recorder,
      receivedMicros: this.#receive(),
    }
    const refusal = this.#refuseEarly(received)
    if (refusal) return exchange.readBody(0, () => exchange.answer(this.#refuse(received, refusal)))
    const { bodyBytesMax, clients } = this.#options
    const take = (outcome: BodyOutcome): void => {
      if ('body' in outcome) this.#take(received, outcome.body)
      else exchange.answer(this.#refuse(received, unreadBody(outcome.refused, bodyBytesMax)))
    }
    exchange.readBody(call.bodyBytesMax(bodyBytesMax), take, new SenderOfBody(key.text, head, clients))
  }

  /** Reads a head, or takes the reading of one that a connection repeats. */
  #open(head: RequestHead): OpenedHead {
    const known = head.isRepeated ? this.#opened.get(head) : undefined
    if (known)
      return { key: known.key, call: known.call.repeat(chooseRequestId(head.header(REQUEST_ID_HEADER))) }
    const key = chooseKey(head)
    const call = openUnaryCall(key.isBeacon ? asBeacon(head) : head, this.#settings)
    if (head.isRepeated && call.kind === 'call') this.#opened.set(head, { key, call })
    return { key, call }
  }

  /** Strictly increasing, so that of two writes in a row the second one is the last. */
  #receive(): number {
    this.#lastMicros = Math.max(this.#lastMicros + 1, this.#options.clock.nowMs() * 1000)
    return this.#lastMicros
  }

  /** A refusal that needs neither the body nor a look-up. */
  #refuseEarly({ key, grant, head }: ReceivedRequest): ServiceError | undefined {
    if (grant === null) return invalidApiKey(key)
    const refusal = grant && findKeyRefusal(this.#options, grant, head)
    if (refusal) return refusal
    return this.#options.isOverloaded() || this.#rpc.isFull ? overloaded() : undefined
  }

  #refuse({ call, recorder, grant }: ReceivedRequest, error: ServiceError): Answer {
    this.#rpc.countRejection(error.reason)
    const source = grant && { projectId: grant.projectId, dialect: this.#rpc.dialect }
    if (source) this.#options.warnings.noteRejection(source, error.reason)
    recorder.end(error.code)
    return call.fail(error)
  }

  /** Answers in this tick when nothing has to be awaited. */
  #take(received: ReceivedRequest, body: Buffer): void {
    const { call, grant, exchange, recorder } = received
    const message = call.readMessage(body, this.#options.bodyBytesMax)
    if (!message.ok) return exchange.answer(this.#refuse(received, message.error))
    const result = grant ? this.#rpc.resultAtOnce(call, message.value) : undefined
    if (result !== undefined) {
      recorder.end('ok')
      return exchange.answer(call.succeed(result))
    }
    const pending = new IngestionCall(this.#rpc, this.#options, received)
    if (grant) pending.submit(grant, message.value)
    else void pending.lookUp(copyOf(message.value))
  }
}

/** What a head says about the call. */
interface OpenedHead {
  readonly key: IngestKey
  readonly call: UnaryCall | RefusedCall
}

/** A request before its body. */
interface ReceivedRequest {
  readonly call: UnaryCall
  readonly key: string
  /** `undefined` until the key is resolved, `null` when it is known to be invalid. */
  readonly grant: ApiKeyGrant | null | undefined
  readonly head: RequestHead
  readonly exchange: Exchange
  readonly recorder: RequestRecorder
  readonly receivedMicros: number
}

function asBeacon(head: RequestHead): CallHead {
  const { method, path, hasTrailers } = head
  return { method, path, hasTrailers, isBeacon: true, header: (name) => head.header(name) }
}
