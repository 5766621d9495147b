import type { ProjectId } from '../contract/ids.ts'
import type { ErrorCode, ErrorReason, FieldViolation } from '../contract/service-error.ts'
import type { Coding } from '../rpc/coding.ts'
import type { Codec } from '../rpc/content-type.ts'
import type { StateCall } from '../store/state/measured-state-store.ts'
import type {
  ForeignChange,
  ForeignDropReason,
  ForeignRequest,
  ForeignResult,
} from './dialects/foreign/foreign-batch.ts'
import type { EnrichmentHeaders } from './enrich/enrichment-headers.ts'
import type { CookielessDropReason } from './identity/cookieless-identity.ts'
import type { CountedViolation } from './typed-events/typed-event-check.ts'
import type { RequestWarning } from './warnings/warning.ts'

/** The facts about a client beside its message. Plain data: it is sent to a worker. */
export interface ClientFacts {
  /** Canonical address; `undefined` when it is unknown. */
  readonly address: string | undefined
  /** `undefined` when the client sent none. */
  readonly userAgent: string | undefined
  /** Headers of a trusted CDN. */
  readonly headers: EnrichmentHeaders | undefined
}

/** One BatchCreate request. */
export interface BatchRequest {
  readonly projectId: ProjectId
  readonly codec: Codec
  /** Compression of `bytes`; the worker decompresses. */
  readonly coding: Coding
  /** The message as it was sent; `submit` copies it. */
  readonly bytes: Buffer
  readonly client: ClientFacts
  /** Whether it has a public key, which anyone can read. */
  readonly isPublicKey: boolean
  /** The own domains of the project. */
  readonly domains: readonly string[]
  /** The event kinds of the project that are dropped. */
  readonly blockedKinds: readonly string[]
  /** Deadline, in `machineMs`: the request is rejected from then on. */
  readonly deadlineMs?: number | undefined
  /** Present when another vendor's SDK sent the request: then `bytes` are in its form. */
  readonly foreign?: ForeignRequest | undefined
}

/** A request inside a task, as the worker reads it. */
export interface TaskRequest extends BatchRequest {
  /** A view into the task's buffer. */
  readonly bytes: Buffer
}

/** A task as the worker receives it: many requests in shared memory. See `packed-task.ts`. */
export interface Task {
  readonly input: SharedArrayBuffer
  /** Bytes of the messages, which come first. */
  readonly messageBytes: number
  /** Bytes of the heads behind them. */
  readonly headBytes: number
  /** The buffer for the block, if it fits. */
  readonly output: SharedArrayBuffer
}

/**
 * The reason why an event is dropped: a key of `droppedByReason` in the response of BatchCreate, or of events of other vendors'
 * SDKs only.
 */
export type DropReason = CookielessDropReason | 'blocked_kind' | ForeignDropReason

/** The outcome of one request. */
export type Outcome =
  | {
      /** Accepted events. */
      readonly accepted: number
      /** Dropped events, by reason; absent when there are none. */
      readonly droppedByReason?: Readonly<Partial<Record<DropReason, number>>>
      /** Changes of accepted events, by kind of change; of other vendors' SDKs only. */
      readonly changedByReason?: Readonly<Partial<Record<ForeignChange, number>>>
      /** The same of other vendors' SDKs with their libraries and samples. */
      readonly warnings?: readonly RequestWarning[]
      /** Whether the request only asked what would become of its events. */
      readonly isCheckOnly?: boolean
      /** What became of each event, for answers that list them. */
      readonly results?: readonly ForeignResult[]
    }
  | {
      readonly code: ErrorCode
      readonly reason: ErrorReason
      readonly message: string
      readonly violation?: FieldViolation
    }

/** An outcome on its way between threads: just the number of accepted events in the common case. */
export type PackedOutcome = number | Outcome

/**
 * A worker's result: an outcome for each request that it reached, in order, and one stored block with their rows. The
 * remaining requests go into another task.
 */
export interface TaskResult {
  readonly outcomes: readonly PackedOutcome[]
  /** Bytes of the block, from the start of the output. */
  readonly blockBytes: number
  readonly rowCount: number
  /** A new buffer that holds the block, when the task's own is too small. */
  readonly output?: SharedArrayBuffer
  /** Rows of `identifies` from events of other vendors' SDKs: lines of `FORMAT JSONEachRow`. */
  readonly identifyRows: string
  readonly identifyCount: number
  /** Schema violations of stored events. */
  readonly violations: readonly CountedViolation[]
  /** Stored events that reuse a recent id with other content. */
  readonly idClashes: number
  /** Calls of the state store since the last task of this thread. */
  readonly stateCalls: readonly StateCall[]
}
