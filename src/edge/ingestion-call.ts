import type { ProjectId } from '../contract/ids.ts'
import type { WarningDialect } from '../contract/ingestion-warnings.ts'
import { type ErrorCode, ServiceError } from '../contract/service-error.ts'
import { type Clock, machineMs, monotonicMs } from '../kernel/clock.ts'
import type { Logger } from '../kernel/log.ts'
import { activeTracer, type Span } from '../kernel/tracing.ts'
import type { Reply } from '../pipeline/pool.ts'
import type { Outcome } from '../pipeline/task.ts'
import type { WarningNotes, WarningSource } from '../pipeline/warnings/warning-collector.ts'
import type { Answer, HeaderField } from '../rpc/answer.ts'
import type { RequestMessage } from '../rpc/request-message.ts'
import { countRequest, methodLabel, startRpcSpan } from '../rpc/request-telemetry.ts'
import type { UnaryCall } from '../rpc/unary-call.ts'
import type { ApiKeyGrant } from '../store/catalog/api-keys.ts'
import { findLimitRefusal } from '../store/catalog/key-limits.ts'
import type { KeyResolver } from '../store/catalog/key-resolver.ts'
import { isPersonalToken } from '../store/catalog/personal-tokens.ts'
import type { ClientFactsReader, ClientHead } from './client-facts.ts'
import type { Exchange } from './exchange.ts'
import type { RateLimiter, RateState } from './rate-limit.ts'
import { deadlineExceeded, invalidApiKey, rateLimited } from './refusals.ts'
import type { TokenGuesses } from './token-guesses.ts'

/** Longer timers fire at once. */
const TIMER_MS_MAX = 2 ** 31 - 1

/** Metrics and trace of a request that the edge serves, from its head to its answer. */
export class RequestRecorder {
  /** Absent without tracing. */
  readonly span: Span | undefined
  readonly #method: string
  readonly #startedMs = monotonicMs()

  constructor(path: string, head: { header(name: string): string | undefined }) {
    this.#method = methodLabel(path)
    const tracer = activeTracer()
    if (tracer) this.span = startRpcSpan(tracer, path, head)
  }

  /** Adds the request id to the trace. */
  identify(requestId: string): void {
    this.span?.set({ 'millrace.request_id': requestId })
  }

  /** Records the outcome. */
  end(code: ErrorCode | 'ok'): void {
    countRequest({ method: this.#method, code, startedMs: this.#startedMs })
    this.span?.set({ 'rpc.response.status_code': code })
    this.span?.end(code)
  }
}

/** The open call of a request: how it is answered. */
export interface OpenCall {
  readonly requestId: string
  /** The client's timeout in milliseconds; `undefined` without one. */
  readonly timeoutMs: number | undefined
  succeed(message: string | Uint8Array): Answer
  fail(error: ServiceError): Answer
}

/** A message whose key is valid and within its rate. */
export interface AdmittedMessage<Call extends OpenCall = UnaryCall> {
  readonly grant: ApiKeyGrant
  readonly call: Call
  /** Its bytes are only valid during the call that hands it over. */
  readonly message: RequestMessage
  readonly head: ClientHead
  /** Arrival time of the request, in microseconds since the Unix epoch; later than that of every request before. */
  readonly receivedMicros: number
  /** The client's deadline, in `machineMs`. */
  readonly deadlineMs: number | undefined
}

/** Takes a message back from its queue; false when a worker has it, which decides and replies. */
export type Withdraw = () => boolean

/** One kind of messages for the workers, in any protocol. */
export interface MessageQueue<Call extends OpenCall> {
  readonly name: string
  /** The interface that its warnings name. */
  readonly dialect: WarningDialect
  /** Whether its queue is full. */
  readonly isFull: boolean
  /** Queues a message for the workers, whose outcome goes to `reply`. Throws `ServiceError` when there is no room. */
  submit(admitted: AdmittedMessage<Call>, reply: Reply): Withdraw
  /** The response message of an accepted request. */
  encode(call: Call, outcome: Extract<Outcome, { readonly accepted: number }>): string | Uint8Array
  /** Counts a request that was rejected before a worker had it. */
  countRejection(reason: string): void
}

/** One RPC of ingestion: everything in which it differs from the others. */
export interface IngestionRpc extends MessageQueue<UnaryCall> {
  readonly path: string
  /** The result of a message that needs no worker; `undefined` for all others. */
  resultAtOnce(call: UnaryCall, message: RequestMessage): string | Uint8Array | undefined
}

/** Dependencies of a call. */
export interface IngestionParts {
  readonly keys: KeyResolver
  /** Absent without a rate limit. */
  readonly rateLimiter: RateLimiter | undefined
  readonly guesses: TokenGuesses
  readonly clients: ClientFactsReader
  readonly clock: Clock
  readonly warnings: WarningNotes
  readonly log: Logger
}

/** The grant of a key or a token; `null` when it has none. Throws `resource_exhausted` after too many unknown tokens. */
async function resolveKey(
  { keys, guesses, clients }: IngestionParts,
  key: string,
  head: ClientHead,
): Promise<ApiKeyGrant | null> {
  if (!isPersonalToken(key) || keys.hasGranted(key)) return await keys.resolve(key)
  const network = clients.network(head)
  guesses.require(network)
  const grant = await keys.resolve(key)
  // No request waits for the count.
  if (!grant) void guesses.count(network)
  return grant
}

/** The refusal of a key beyond its limits; most keys have none. */
export function findKeyRefusal(
  { clients, clock }: Pick<IngestionParts, 'clients' | 'clock'>,
  { limits }: ApiKeyGrant,
  head: ClientHead,
): ServiceError | undefined {
  if (limits === undefined) return undefined
  return findLimitRefusal(limits, { nowMs: clock.nowMs(), readAddress: () => clients.address(head) })
}

/** A request whose body was read. */
export interface PendingRequest<Call extends OpenCall = UnaryCall> {
  readonly call: Call
  readonly key: string
  readonly head: ClientHead
  readonly exchange: Exchange
  readonly recorder: RequestRecorder
  readonly receivedMicros: number
}

/**
 * A call of ingestion from its body to its answer. It is an object that the workers' queue calls back, not a chain of promises:
 * every batch of events is one (benchmark case `e2e/json-batch-1`).
 */
export class IngestionCall<Call extends OpenCall = UnaryCall> implements Reply {
  readonly #rpc: MessageQueue<Call>
  readonly #parts: IngestionParts
  readonly #pending: PendingRequest<Call>
  #rate: RateState | undefined
  /** Absent until the key is resolved. */
  #projectId: ProjectId | undefined
  #deadlineMs: number | undefined
  #withdraw: Withdraw | undefined
  #timer: NodeJS.Timeout | undefined
  #isAnswered = false

  constructor(rpc: MessageQueue<Call>, parts: IngestionParts, pending: PendingRequest<Call>) {
    this.#rpc = rpc
    this.#parts = parts
    this.#pending = pending
    const { timeoutMs } = pending.call
    if (timeoutMs === undefined) return
    this.#deadlineMs = machineMs() + timeoutMs
    this.#timer = setTimeout(() => this.#expire(timeoutMs), Math.min(timeoutMs, TIMER_MS_MAX))
  }

  get span(): Span | undefined {
    return this.#pending.recorder.span
  }

  /** Resolves the key first. Never rejects. */
  async lookUp(message: RequestMessage): Promise<void> {
    const { key, head } = this.#pending
    try {
      const grant = await resolveKey(this.#parts, key, head)
      if (grant) this.submit(grant, message)
      else this.fail(invalidApiKey(key))
    } catch (error) {
      this.fail(error)
    }
  }

  /** Queues the message, which is copied in this tick, or answers at once. */
  submit(grant: ApiKeyGrant, message: RequestMessage): void {
    this.#projectId = grant.projectId
    const refusal = findKeyRefusal(this.#parts, grant, this.#pending.head)
    if (refusal) return this.fail(refusal)
    const { rateLimiter } = this.#parts
    if (!rateLimiter) return this.#handOver(grant, message)
    const rate = rateLimiter.peek(this.#pending.key)
    if (rate) return this.#submitAt(rate, grant, message)
    const copy = copyOf(message)
    void rateLimiter.admit(this.#pending.key).then((admitted) => this.#submitAt(admitted, grant, copy))
  }

  get #source(): WarningSource | undefined {
    if (this.#projectId === undefined) return undefined
    return { projectId: this.#projectId, dialect: this.#rpc.dialect }
  }

  #expire(timeoutMs: number): void {
    // Once a worker has the request, it decides: the deadline must not reject what the worker may store.
    if (this.#withdraw === undefined || this.#withdraw()) this.fail(deadlineExceeded(timeoutMs))
  }

  #submitAt(rate: RateState, grant: ApiKeyGrant, message: RequestMessage): void {
    this.#rate = rate
    if (rate.isAllowed) this.#handOver(grant, message)
    else this.fail(rateLimited(rate.retryAfterSeconds))
  }

  #handOver(grant: ApiKeyGrant, message: RequestMessage): void {
    // The deadline passed during the look-up of the key.
    if (this.#isAnswered) return
    const { call, head, receivedMicros } = this.#pending
    const deadlineMs = this.#deadlineMs
    try {
      this.#withdraw = this.#rpc.submit({ grant, call, message, head, receivedMicros, deadlineMs }, this)
    } catch (error) {
      this.fail(error)
    }
  }

  answer(outcome: Outcome): void {
    const { call, key } = this.#pending
    if (this.#source && hasWarnings(outcome)) this.#parts.warnings.noteOutcome(this.#source, outcome)
    // The worker's side has counted its rejections.
    if (!('accepted' in outcome)) return this.#send(call.fail(toError(outcome, call)), outcome.code)
    this.#parts.rateLimiter?.charge(key, outcome.accepted)
    if (!this.#isAnswered) this.#send(call.succeed(this.#rpc.encode(call, outcome)), 'ok')
  }

  fail(thrown: unknown): void {
    if (this.#isAnswered) return
    const { call } = this.#pending
    const error = ServiceError.from(thrown)
    if (error.code === 'internal') {
      this.#parts.log.error({ requestId: call.requestId, err: error.cause }, `${this.#rpc.name} failed`)
    }
    this.#rpc.countRejection(error.reason)
    if (this.#source) this.#parts.warnings.noteRejection(this.#source, error.reason)
    this.#send(call.fail(error), error.code)
  }

  #send(answer: Answer, code: ErrorCode | 'ok'): void {
    if (this.#isAnswered) return
    this.#isAnswered = true
    this.#pending.recorder.end(code)
    if (this.#timer) clearTimeout(this.#timer)
    this.#pending.exchange.answer(this.#rate ? withHeaders(answer, this.#rate) : answer)
  }
}

/** Whether there is anything to note: most requests are taken as they are. */
function hasWarnings(outcome: Outcome): boolean {
  if (!('accepted' in outcome)) return true
  return outcome.droppedByReason !== undefined || outcome.changedByReason !== undefined
}

/** A message that outlives the tick in which its body was read. */
export function copyOf({ bytes, coding }: RequestMessage): RequestMessage {
  return { bytes: Buffer.from(bytes), coding }
}

function toError(
  outcome: Exclude<Outcome, { readonly accepted: number }>,
  { timeoutMs }: OpenCall,
): ServiceError {
  if (outcome.code === 'deadline_exceeded') return deadlineExceeded(timeoutMs ?? 0)
  const { code, reason, message, violation } = outcome
  return new ServiceError({ code, reason, message, ...(violation ? { violations: [violation] } : {}) })
}

function withHeaders(answer: Answer, rate: RateState): Answer {
  const headers: readonly HeaderField[] = [...answer.headers, ...rate.headers]
  return { ...answer, headers }
}
