import type { ServiceError } from '../../../contract/service-error.ts'
import type { Result } from '../../../kernel/result.ts'
import type { Answer } from '../../../rpc/answer.ts'
import type { ForeignBatch, ForeignRequest, ForeignResult, ForeignSender } from './foreign-batch.ts'
import type { SourceObject } from './foreign-value.ts'

/** A request of a vendor's SDK before its body. */
export interface ForeignHead {
  /** In upper case. */
  readonly method: string
  /** Below the prefix of the dialect, without a final slash. */
  readonly path: string
  readonly query: URLSearchParams
  /** Whether this process ends TLS; a proxy before it may do so too. */
  readonly hasTls: boolean
  /** Receive time. */
  readonly nowMs: number
  header(name: string): string | undefined
}

/** What became of a request whose events were taken. */
export interface ForeignOutcome {
  readonly results: readonly ForeignResult[]
}

/** A request that sends events. */
export interface ForeignEventsRoute {
  readonly kind: 'events'
  readonly form: string
  /** Whether the answer lists what became of each event. */
  readonly listsResults: boolean
  /** The key of the headers; empty when the body has it. */
  readonly key: string
  /** The events of a GET, or of a query; absent when they are the body. */
  readonly bytes?: Buffer
  /** What the headers tell of the sender; absent when the body does. */
  readonly sender?: ForeignSender
  /** The answer once every event is durable or dropped. */
  accept(outcome: ForeignOutcome): Answer
  /** The answer that makes the SDK repeat what is worth repeating, and only that. */
  refuse(error: ServiceError): Answer
}

/** The target of a request: events, or an answer that needs neither key nor body. */
export type ForeignRoute = ForeignEventsRoute | { readonly kind: 'fixed'; readonly answer: Answer }

/** How a vendor's SDKs speak. */
export interface Dialect {
  /** The first element of its paths, and the label of its metrics. */
  readonly name: ForeignRequest['dialect']
  /** First elements of paths that it serves without its prefix too. */
  readonly rootElements?: readonly string[]
  /** The target of a request; `undefined` when the vendor has none. */
  route(head: ForeignHead): ForeignRoute | undefined
  /** The name and the version of the library that an event names; `undefined` for a vendor whose events name none. */
  readLibrary?(record: SourceObject): readonly [name: string | undefined, version: string | undefined]
  /** Reads the decompressed body. */
  readRequest(body: Uint8Array, request: ForeignRequest): Result<ForeignBatch, ServiceError>
}
