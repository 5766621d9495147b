import { once } from 'node:events'
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { type DescMessage, fromBinary, type MessageShape } from '@bufbuild/protobuf'
import { BadRequestSchema, ErrorInfoSchema } from '../../contract/gen/google/rpc/error_details_pb.js'
import { Backoff } from '../../kernel/backoff.ts'
import { monotonicMs, sleep } from '../../kernel/clock.ts'

/** Options of {@link ServiceClient}. */
export interface ServiceClientOptions {
  readonly connectionsMax: number
  readonly signal: AbortSignal
  /** Called with the cause of each retry. */
  readonly onRetry?: (cause: string) => void
}

/** The service to send to, and its API key or a personal access token. */
export interface ServiceTarget {
  readonly url: string
  readonly key: string
  /** Id of the project, for a personal access token that is for several. */
  readonly projectId?: string | undefined
}

/** A permanent error: the service rejects the request however often it is sent. */
export interface Rejection {
  readonly status: number
  readonly reason: string
  readonly message: string
  /** Paths of invalid fields, such as `events[3].kind`. */
  readonly fields: readonly string[]
}

/** The JSON of a response, or the permanent rejection. */
export type ServiceAnswer =
  | { readonly body: Readonly<Record<string, unknown>> }
  | { readonly rejection: Rejection }

/** The service cannot be used: it does not respond, or rejects the key. */
export class SendError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'SendError'
  }
}

/** Time for which failing calls are retried. Imports and exports can resume later. */
const GIVE_UP_MS = 15 * 60_000
const ANSWER_MS_MAX = 60_000
const ANSWER_BYTES_MAX = 1024 * 1024
const BACKOFF = { firstMs: 200, maxMs: 30_000 }

/** Statuses worth a retry. */
const TRANSIENT: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504])
const KEY_REJECTED: ReadonlySet<number> = new Set([401, 403])
/** Reasons why a token works, but not in the project: no request has another outcome. */
const PROJECT_REJECTED: ReadonlySet<string> = new Set(['TOKEN_PROJECT_REQUIRED', 'PROJECT_NOT_FOUND'])
/** Reason of a 429 that a retry cannot fix: the body itself is too large. */
const TOO_LARGE = 'BODY_TOO_LARGE'

interface Response {
  readonly status: number
  readonly retryAfterMs: number | undefined
  readonly body: Record<string, unknown>
}

/** Calls RPCs of a service over HTTP and retries transient errors. */
export class ServiceClient {
  readonly #target: ServiceTarget
  readonly #agent: HttpAgent
  readonly #signal: AbortSignal
  readonly #onRetry: (cause: string) => void

  constructor(target: ServiceTarget, options: ServiceClientOptions) {
    const agentOptions = { keepAlive: true, maxSockets: options.connectionsMax }
    this.#target = target
    this.#signal = options.signal
    this.#onRetry = options.onRetry ?? (() => {})
    this.#agent = target.url.startsWith('https:') ? new HttpsAgent(agentOptions) : new HttpAgent(agentOptions)
  }

  /**
   * Sends a JSON body; returns `undefined` when the service accepts it, or the permanent rejection. Retries with backoff, at
   * least as late as `Retry-After` demands. Throws {@link SendError}.
   */
  async call(method: string, body: string): Promise<Rejection | undefined> {
    const answer = await this.ask(method, body)
    return 'rejection' in answer ? answer.rejection : undefined
  }

  /** As {@link call}, for a method whose response is needed. */
  async ask(method: string, body: string): Promise<ServiceAnswer> {
    const backoff = new Backoff(BACKOFF)
    const giveUpMs = monotonicMs() + GIVE_UP_MS
    for (;;) {
      const answer = await this.#try(method, body)
      if (!(answer instanceof Error)) {
        if (answer.status === 200) return { body: answer.body }
        const rejection = readRejection(answer)
        if (KEY_REJECTED.has(answer.status))
          throw new SendError(`the service rejected the key: ${rejection.message}`)
        if (PROJECT_REJECTED.has(rejection.reason))
          throw new SendError(`the service rejected the project: ${rejection.message}`)
        if (!TRANSIENT.has(answer.status) || rejection.reason === TOO_LARGE) return { rejection }
      }
      const cause = answer instanceof Error ? answer.message : readRejection(answer).message
      if (monotonicMs() > giveUpMs) throw giveUp(this.#target.url, cause)
      this.#onRetry(cause)
      const retryAfterMs = answer instanceof Error ? undefined : answer.retryAfterMs
      await sleep(Math.max(retryAfterMs ?? 0, backoff.next()), this.#signal)
    }
  }

  /** Closes the connections. */
  close(): void {
    this.#agent.destroy()
  }

  async #try(method: string, body: string): Promise<Response | Error> {
    try {
      return await this.#post(method, body)
    } catch (error) {
      this.#signal.throwIfAborted()
      return error instanceof Error ? error : new Error(String(error))
    }
  }

  async #post(method: string, body: string): Promise<Response> {
    const url = new URL(`${this.#target.url.replace(/\/$/, '')}/${method}`)
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest
    const signal = AbortSignal.any([this.#signal, AbortSignal.timeout(ANSWER_MS_MAX)])
    // No user agent: the service would attribute it to the events.
    const request = send(url, {
      method: 'POST',
      agent: this.#agent,
      signal,
      headers: {
        'content-type': 'application/json',
        'connect-protocol-version': '1',
        'x-api-key': this.#target.key,
        ...(this.#target.projectId === undefined ? {} : { 'x-project-id': this.#target.projectId }),
        'content-length': Buffer.byteLength(body),
      },
    })
    request.end(body)
    const [response] = (await once(request, 'response', { signal })) as [IncomingMessage]
    return await readAnswer(response)
  }
}

async function readAnswer(response: IncomingMessage): Promise<Response> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Uint8Array>) {
    bytes += chunk.length
    if (bytes > ANSWER_BYTES_MAX) throw new Error('the response is too long')
    chunks.push(chunk)
  }
  const seconds = Number(response.headers['retry-after'])
  return {
    status: response.statusCode ?? 0,
    retryAfterMs: seconds > 0 ? seconds * 1000 : undefined,
    body: parseBody(Buffer.concat(chunks).toString('utf8')),
  }
}

function parseBody(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

/** A detail of a Connect error: an encoded message in base64. */
interface Detail {
  readonly type: string
  readonly value: string
}

function readRejection({ status, body }: Response): Rejection {
  const details = (Array.isArray(body.details) ? body.details : []) as readonly Detail[]
  const [info] = readDetails(details, ErrorInfoSchema)
  const [badRequest] = readDetails(details, BadRequestSchema)
  return {
    status,
    reason: info?.reason ?? '',
    message: typeof body.message === 'string' ? body.message : `status ${status}`,
    fields: badRequest?.fieldViolations.map(({ field }) => field) ?? [],
  }
}

function readDetails<D extends DescMessage>(details: readonly Detail[], schema: D): MessageShape<D>[] {
  return details
    .filter(({ type }) => type === schema.typeName)
    .map(({ value }) => fromBinary(schema, Buffer.from(value, 'base64')))
}

function giveUp(url: string, cause: string): SendError {
  return new SendError(`${url} has not accepted any data for ${GIVE_UP_MS / 60_000} minutes: ${cause}`)
}
