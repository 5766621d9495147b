import { counter } from '../kernel/metrics.ts'
import type { Span } from '../kernel/tracing.ts'
import type { IdentifyCall, IdentifyOutcome } from '../pipeline/identify/identify-task.ts'
import type { Reply } from '../pipeline/pool.ts'
import type { UnaryCall } from '../rpc/unary-call.ts'
import { type AdmittedMessage, copyOf, type IngestionRpc, type Withdraw } from './ingestion-call.ts'
import { deadlineExceeded } from './refusals.ts'

/** Path of the RPC that names a user and sets their traits. */
export const IDENTIFY_PATH = '/sdk.profiles.v1.ProfilesSDKService/Identify'

const rejected = counter('millrace_identifies_rejected_total', 'Rejected Identify calls, by reason.', [
  'reason',
])

/** The queue of Identify calls; see `IdentifyQueue`. */
export interface IdentifyCalls {
  readonly isFull: boolean
  submit(call: IdentifyCall, span?: Span): Promise<IdentifyOutcome>
  withdraw(call: IdentifyCall, error: unknown): void
}

/** `sdk.profiles.v1.ProfilesSDKService/Identify`: calls to the queue of Identify, each of which counts as one event. */
export class Identify implements IngestionRpc {
  readonly path = IDENTIFY_PATH
  readonly name = 'Identify'
  readonly dialect = 'millrace'
  readonly #queue: IdentifyCalls

  constructor(queue: IdentifyCalls) {
    this.#queue = queue
  }

  get isFull(): boolean {
    return this.#queue.isFull
  }

  resultAtOnce(): undefined {
    return undefined
  }

  submit({ grant, call, message, receivedMicros, deadlineMs }: AdmittedMessage, reply: Reply): Withdraw {
    const { projectId } = grant
    const { codec, timeoutMs = 0 } = call
    const queued: IdentifyCall = { projectId, codec, receivedMicros, deadlineMs, ...copyOf(message) }
    this.#queue.submit(queued, reply.span).then(
      (outcome) => {
        if (!outcome.isAccepted) this.countRejection(outcome.reason)
        reply.answer(outcome.isAccepted ? { accepted: 1 } : outcome)
      },
      (error: unknown) => reply.fail(error),
    )
    return () => {
      // A call that is withdrawn fails with this error; one that a worker has replies as the worker decides.
      this.#queue.withdraw(queued, deadlineExceeded(timeoutMs))
      return false
    }
  }

  encode({ codec }: UnaryCall): string | Uint8Array {
    return codec === 'json' ? '{}' : new Uint8Array(0)
  }

  countRejection(reason: string): void {
    rejected.inc({ reason })
  }
}
