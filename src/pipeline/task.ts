import type { ProjectId } from '../contract/ids.ts'
import type { ErrorCode, ErrorReason, FieldViolation } from '../contract/service-error.ts'
import type { Coding } from '../rpc/coding.ts'
import type { Codec } from '../rpc/content-type.ts'
import type { StateCall } from '../store/state/measured-state-store.ts'
import type { EnrichmentHeaders } from './enrich/enrichment-headers.ts'
import type { CookielessDropReason } from './identity/cookieless-identity.ts'
import type { CountedViolation } from './typed-events/typed-event-check.ts'

/** What is known of the client besides its message. Plain data: it travels to a worker. */
export interface ClientFacts {
  /** Canonical address; `undefined` when none could be told. */
  readonly address: string | undefined
  /** `undefined` when the client sent none. */
  readonly userAgent: string | undefined
  /** Headers of a trusted CDN. */
  readonly headers: EnrichmentHeaders | undefined
}

/** One BatchCreate request, as the edge hands it over. */
export interface BatchRequest {
  readonly projectId: ProjectId
  readonly codec: Codec
  /** How `bytes` are compressed; the worker decompresses. */
  readonly coding: Coding
  /** The message as it was sent; `submit` copies it. */
  readonly bytes: Buffer
  readonly client: ClientFacts
  /** When its client gives up, in `machineMs`: it is refused from then on. */
  readonly deadlineMs?: number | undefined
}

/** A request inside a task, as the worker reads it. */
export interface TaskRequest extends BatchRequest {
  /** A view into the task's buffer. */
  readonly bytes: Buffer
}

/** What the edge hands to a worker: many requests in memory that both see. See `packed-task.ts`. */
export interface Task {
  readonly input: SharedArrayBuffer
  /** Bytes of the messages, which stand first. */
  readonly messageBytes: number
  /** Bytes of the heads behind them. */
  readonly headBytes: number
  /** Where the block goes when it fits. */
  readonly output: SharedArrayBuffer
}

/** What became of one request. */
export type Outcome =
  | {
      /** Events that were taken. */
      readonly accepted: number
      /** Cookieless events that were refused, by reason; absent when none was. */
      readonly droppedByReason?: Readonly<Partial<Record<CookielessDropReason, number>>>
    }
  | {
      readonly code: ErrorCode
      readonly reason: ErrorReason
      readonly message: string
      readonly violation?: FieldViolation
    }

/** An outcome on its way between threads: the number of events that were taken, when there is nothing else to say. */
export type PackedOutcome = number | Outcome

/**
 * What a worker answers: an outcome for each request that it got to, in order, and one stored block with the rows of all of
 * them. Those after them are for another task.
 */
export interface TaskResult {
  readonly outcomes: readonly PackedOutcome[]
  /** Bytes of the block, from the start of the output. */
  readonly blockBytes: number
  readonly rowCount: number
  /** Memory that holds the block instead of the task's own, which was too small. */
  readonly output?: SharedArrayBuffer
  /** Rules of typed events that stored events break. */
  readonly violations: readonly CountedViolation[]
  /** Stored events whose id came lately with other content. */
  readonly idClashes: number
  /** Calls of the state store since the last task of this thread. */
  readonly stateCalls: readonly StateCall[]
}
