import { ServiceError } from '../contract/service-error.ts'
import type { Logger } from '../kernel/log.ts'
import type { ValidationPool } from '../pipeline/pool.ts'
import type { Shipper } from '../pipeline/ship.ts'
import type { Outcome } from '../pipeline/task.ts'
import { type Answer, errorAnswer, jsonAnswer } from '../rpc/answer.ts'
import type { ApiKeyGrant } from '../store/catalog/api-keys.ts'
import type { KeyResolver } from '../store/catalog/key-resolver.ts'
import {
  bodyTooLarge,
  invalidApiKey,
  overloaded,
  unsupportedEncoding,
  unsupportedType,
  unsupportedVersion,
} from './refusals.ts'

/** Path of the one RPC that ingests. */
export const BATCH_CREATE_PATH = '/sdk.events.v1.EventsService/BatchCreate'

/** What the request line and the headers say, read before the body. */
export interface BatchCreateHead {
  readonly requestId: string
  readonly apiKey: string
  readonly contentType: string
  readonly contentEncoding: string
  readonly protocolVersion: string
}

/** What ingestion needs. */
export interface BatchCreateOptions {
  readonly keys: KeyResolver
  readonly pool: ValidationPool
  readonly shipper: Shipper
  readonly log: Logger
  readonly errorDomain: string
  readonly bodyBytesMax: number
  /** True while the process holds as many bodies as it may. */
  readonly isOverloaded: () => boolean
}

/** Requests that may wait for a worker; each is at most a body, whose bytes are limited apart. */
const WAITING_REQUESTS_MAX = 10_000

/** `sdk.events.v1.EventsService/BatchCreate`: authenticate, admit, validate in the pool, answer. */
export class BatchCreate {
  readonly #options: BatchCreateOptions

  constructor(options: BatchCreateOptions) {
    this.#options = options
  }

  /** Refuses what can be refused before the body is there; `undefined` when it should be read. */
  refuseEarly(head: BatchCreateHead): Answer | undefined {
    if (!isJson(head.contentType)) return this.#fail(head, unsupportedType(head.contentType), 415)
    if (head.contentEncoding !== '' && head.contentEncoding !== 'identity') {
      return this.#fail(head, unsupportedEncoding(head.contentEncoding))
    }
    if (head.protocolVersion !== '' && head.protocolVersion !== '1')
      return this.#fail(head, unsupportedVersion())
    if (this.#options.isOverloaded()) return this.#fail(head, overloaded())
    return undefined
  }

  /** The answer to a body beyond the limit. */
  refuseTooLarge(head: BatchCreateHead): Answer {
    return this.#fail(head, bodyTooLarge(this.#options.bodyBytesMax))
  }

  /** Handles a request whose body was read. Never rejects. */
  async handle(head: BatchCreateHead, body: Buffer): Promise<Answer> {
    try {
      const grant = await this.#authenticate(head.apiKey)
      if (this.#options.shipper.isFull || this.#options.pool.waitingCount >= WAITING_REQUESTS_MAX)
        throw overloaded()
      return this.#answer(head, await this.#options.pool.submit(grant.projectId, body))
    } catch (thrown) {
      return this.#fail(head, ServiceError.from(thrown))
    }
  }

  async #authenticate(key: string): Promise<ApiKeyGrant> {
    const { keys } = this.#options
    const grant = key === '' ? null : (keys.peek(key) ?? (await keys.resolve(key)))
    if (grant) return grant
    throw invalidApiKey(key)
  }

  #answer(head: BatchCreateHead, outcome: Outcome): Answer {
    if ('accepted' in outcome) {
      return jsonAnswer(200, outcome.accepted === 0 ? {} : { accepted: outcome.accepted }, head.requestId)
    }
    const { code, message, violation } = outcome
    const reason = code === 'unimplemented' ? 'NOT_IMPLEMENTED' : 'INVALID_EVENT_BATCH'
    return this.#fail(head, new ServiceError({ code, reason, message, violations: [violation] }))
  }

  #fail(head: BatchCreateHead, error: ServiceError, status?: number): Answer {
    const { log, errorDomain } = this.#options
    if (error.code === 'internal')
      log.error({ requestId: head.requestId, err: error.cause }, 'BatchCreate failed')
    return errorAnswer(error, { requestId: head.requestId, domain: errorDomain }, status)
  }
}

function isJson(contentType: string): boolean {
  return contentType === 'application/json' || /^application\/json\s*;/i.test(contentType)
}
