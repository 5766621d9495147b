import {
  Agent,
  type ClientRequest,
  request as httpRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
} from 'node:http'
import type { Logger } from '../../kernel/log.ts'
import { HELD_BYTES_MAX, readEdgeNotes } from '../../rpc/edge-notes.ts'
import { REQUEST_ID_HEADER } from '../../rpc/request-id.ts'
import { type ForwardedCall, failForwarded } from '../fail-forwarded.ts'
import { isHopByHop } from '../hop-by-hop.ts'
import { malformedHead, overloaded, queryUnavailable } from '../refusals.ts'
import type { UpstreamPulse } from '../upstream-pulse.ts'
import { type ForwardedCaller, UpstreamRooms } from '../upstream-rooms.ts'
import type { Http1Exchange } from './http1-exchange.ts'

/** A request as it came in, to be sent on. */
export interface Http1Request {
  readonly method: string
  /** Path and query. */
  readonly target: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** Address of the client. */
  readonly client: string
  readonly caller: ForwardedCaller
  readonly call: ForwardedCall
  readonly body: Buffer
}

/** The target of forwarded calls, and their bounds. */
export interface Http1ForwarderOptions {
  /** The query process now; `undefined` while it is starting. */
  readonly target: () => string | undefined
  readonly rooms: UpstreamRooms
  readonly log: Logger
  readonly errorDomain: string
  /** Milliseconds without a byte after which a call is given up. */
  readonly idleTimeoutMs: number
  /** Gives calls up earlier when the query process hangs. */
  readonly pulse: UpstreamPulse
}

/** A request on its way. */
interface SentRequest {
  readonly target: string
  readonly request: Http1Request
  readonly exchange: Http1Exchange
  /** Makes room for the next call. */
  readonly leave: () => void
  readonly mayRetry: boolean
}

/** Hands every RPC that the edge does not serve to the query process, and its answer back as it comes. */
export class Http1Forwarder {
  readonly #options: Http1ForwarderOptions
  readonly #agent = new Agent({
    keepAlive: true,
    maxSockets: UpstreamRooms.connectionsMax,
    timeout: 60_000,
  })

  constructor(options: Http1ForwarderOptions) {
    this.#options = options
  }

  /** Forwards once there is a connection; every outcome ends in an answer or, when one broke off, in a closed connection. */
  forward(request: Http1Request, exchange: Http1Exchange): void {
    const { rooms, errorDomain } = this.#options
    rooms.enter(request.caller, {
      get isOver() {
        return exchange.isOver
      },
      start: (leave) => this.#start(request, exchange, leave),
      refuse: () => exchange.answer(failForwarded(request.call, overloaded(), errorDomain)),
    })
  }

  /** Closes idle connections. */
  close(): void {
    this.#agent.destroy()
  }

  #start(request: Http1Request, exchange: Http1Exchange, leave: () => void): void {
    const target = this.#options.target()
    if (target !== undefined) return this.#send({ target, request, exchange, leave, mayRetry: true })
    leave()
    this.#refuse(request, exchange, 'the query process is starting')
  }

  #send(sent: SentRequest): void {
    const { target, request, exchange, leave } = sent
    const upstream = this.#open(target, request)
    if (upstream === undefined) {
      leave()
      return exchange.answer(failForwarded(request.call, malformedHead(), this.#options.errorDomain))
    }
    exchange.onGone(() => upstream.destroy())
    const unwatch = this.#options.pulse.watch(() => upstream.destroy(new Error('the query process hangs')))
    let hasBegun = false
    let isSentAgain = false
    upstream.on('response', (response) => {
      hasBegun = true
      const { holdMs, isVerified } = readEdgeNotes(response.headers)
      if (isVerified) this.#options.rooms.rememberVerified(request.caller)
      if (holdMs > 0) this.#hold(response, { request, exchange, holdMs })
      else relay(response, request.method, exchange)
    })
    upstream.on('timeout', () => upstream.destroy(new Error('the query process did not respond in time')))
    upstream.on('error', (error) => {
      if (exchange.isOver) return
      if (hasBegun) return exchange.destroy()
      isSentAgain = sent.mayRetry && maySendAgain(request, upstream, error)
      if (isSentAgain) this.#send({ ...sent, mayRetry: false })
      else this.#refuse(request, exchange, 'the query process cannot be reached', error)
    })
    upstream.once('close', () => {
      unwatch()
      if (!isSentAgain) leave()
    })
    upstream.end(request.body)
  }

  /** Takes the answer in, so that it holds no connection, and passes it on later. */
  #hold(
    response: IncomingMessage,
    { request, exchange, holdMs }: Pick<SentRequest, 'request' | 'exchange'> & { readonly holdMs: number },
  ): void {
    const chunks: Buffer[] = []
    let bytes = 0
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      chunks.push(chunk)
      if (bytes > HELD_BYTES_MAX) response.destroy(new Error('the answer is too long to be held'))
    })
    response.once('error', () => exchange.destroy())
    response.once('end', () => {
      const answer = { status: response.statusCode ?? 502, headers: answerHeaders(response) }
      this.#options.rooms.hold(request.caller.network, holdMs, () =>
        exchange.answer({ ...answer, body: Buffer.concat(chunks) }),
      )
    })
  }

  /** `undefined` when the head has bytes that HTTP does not allow: the listener is less strict than node:http. */
  #open(target: string, request: Http1Request): ClientRequest | undefined {
    // The path stays beside the address: resolved against it, `//host/` would name another one.
    const { hostname, port } = new URL(target)
    try {
      return httpRequest({
        hostname,
        port,
        path: request.target,
        method: request.method,
        agent: this.#agent,
        headers: forwardedHeaders(request),
        timeout: this.#options.idleTimeoutMs,
      })
    } catch {
      return undefined
    }
  }

  #refuse(request: Http1Request, exchange: Http1Exchange, message: string, cause?: Error): void {
    const { log, errorDomain } = this.#options
    log.warn({ requestId: request.call.requestId, err: cause }, message)
    exchange.answer(failForwarded(request.call, queryUnavailable(message), errorDomain))
  }
}

/** Methods that do nothing but read (RFC 9110 section 9.2.1). */
const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD'])

/**
 * The query process may close a kept-alive connection at the moment of its reuse. That cannot be distinguished from a process
 * that crashed on the call, so only idempotent calls are sent again.
 */
function maySendAgain(
  { method }: Http1Request,
  upstream: ClientRequest,
  error: NodeJS.ErrnoException,
): boolean {
  const wasClosed = error.code === 'ECONNRESET' || error.code === 'EPIPE'
  return SAFE_METHODS.has(method) && upstream.reusedSocket && wasClosed
}

function forwardedHeaders(request: Http1Request): OutgoingHttpHeaders {
  const headers: Record<string, string> = {}
  for (const [name, value] of request.headers) {
    if (!isForwarderOwned(name))
      headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`
  }
  const sentFor = headers['x-forwarded-for']
  headers['x-forwarded-for'] = sentFor === undefined ? request.client : `${sentFor}, ${request.client}`
  headers[REQUEST_ID_HEADER] = request.call.requestId
  headers['content-length'] = String(request.body.length)
  return headers
}

/** Each side of the edge frames messages for itself. */
function isForwarderOwned(name: string): boolean {
  return name === 'content-length' || name === 'te' || isHopByHop(name)
}

/** Statuses whose answers end with their head (RFC 9110 section 6.4.1). */
const BODILESS: ReadonlySet<number> = new Set([204, 304])

/** Passes an answer on, no faster than the client reads; with its length where the query process gave one. */
function relay(response: IncomingMessage, method: string, exchange: Http1Exchange): void {
  const { statusCode: status = 502, headers } = response
  const length = headers['content-length']
  exchange.begin({
    status,
    headers: answerHeaders(response),
    length: length === undefined ? undefined : Number(length),
    hasBody: method !== 'HEAD' && !BODILESS.has(status),
    onWritable: () => response.resume(),
  })
  response.on('data', (chunk: Buffer) => {
    if (!exchange.write(chunk)) response.pause()
  })
  response.on('end', () => exchange.end())
  response.on('error', () => exchange.destroy())
}

function answerHeaders(response: IncomingMessage): [name: string, value: string][] {
  return pairs(response.rawHeaders).filter(([name]) => !isForwarderOwned(name) && name !== 'date')
}

function pairs(rawHeaders: readonly string[]): [name: string, value: string][] {
  const result: [string, string][] = []
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    result.push([(rawHeaders[index] ?? '').toLowerCase(), rawHeaders[index + 1] ?? ''])
  }
  return result
}
