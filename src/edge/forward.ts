import { Agent, request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import type { Logger } from '../kernel/log.ts'
import { errorAnswer } from '../rpc/answer.ts'
import { REQUEST_ID_HEADER } from '../rpc/request-id.ts'
import type { Exchange } from './exchange.ts'
import { queryUnavailable } from './refusals.ts'

/** A request as it came in, to be sent on. */
export interface ForwardedRequest {
  readonly method: string
  /** Path and query. */
  readonly target: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** Address of the peer. */
  readonly peer: string
  readonly requestId: string
  readonly body: Buffer
}

/** Where to and within which bounds. */
export interface ForwarderOptions {
  /** The query process now; `undefined` while it is starting. */
  readonly target: () => string | undefined
  readonly log: Logger
  readonly errorDomain: string
  /** Milliseconds without a byte after which the query process counts as stuck. */
  readonly idleTimeoutMs: number
}

/** Headers that speak of one connection and not of the message (RFC 9110 section 7.6.1). */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'content-length',
])

const CONNECTIONS_MAX = 256

/** Hands every RPC that the edge does not serve to the query process, and its answer back as it comes. */
export class Forwarder {
  readonly #options: ForwarderOptions
  readonly #agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS_MAX, timeout: 60_000 })

  constructor(options: ForwarderOptions) {
    this.#options = options
  }

  /** Forwards; every outcome ends in an answer or, when one broke off, in a closed connection. */
  forward(request: ForwardedRequest, exchange: Exchange): void {
    const target = this.#options.target()
    if (target === undefined) this.#refuse(request, exchange, 'the query process is starting')
    else this.#send(target, request, exchange, 'may retry')
  }

  /** Closes idle connections. */
  close(): void {
    this.#agent.destroy()
  }

  #send(
    target: string,
    request: ForwardedRequest,
    exchange: Exchange,
    retry: 'may retry' | 'last try',
  ): void {
    const upstream = httpRequest(new URL(request.target, target), {
      method: request.method,
      agent: this.#agent,
      headers: forwardedHeaders(request),
      timeout: this.#options.idleTimeoutMs,
    })
    exchange.onGone(() => upstream.destroy())
    upstream.on('response', (response) => relay(response, exchange))
    upstream.on('timeout', () => upstream.destroy(new Error('the query process did not answer in time')))
    upstream.on('error', (error) => {
      if (exchange.isOver) return
      // A kept-alive connection may have been closed by the other side at the moment of its reuse.
      if (upstream.reusedSocket && retry === 'may retry') this.#send(target, request, exchange, 'last try')
      else this.#refuse(request, exchange, 'the query process cannot be reached', error)
    })
    upstream.end(request.body)
  }

  #refuse(request: ForwardedRequest, exchange: Exchange, message: string, cause?: Error): void {
    const { log, errorDomain } = this.#options
    log.warn({ requestId: request.requestId, err: cause }, message)
    const error = queryUnavailable(message)
    exchange.answer(errorAnswer(error, { requestId: request.requestId, domain: errorDomain }))
  }
}

function forwardedHeaders(request: ForwardedRequest): OutgoingHttpHeaders {
  const headers: Record<string, string> = {}
  for (const [name, value] of request.headers) {
    if (!HOP_BY_HOP.has(name))
      headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`
  }
  const sentFor = headers['x-forwarded-for']
  headers['x-forwarded-for'] = sentFor === undefined ? request.peer : `${sentFor}, ${request.peer}`
  headers[REQUEST_ID_HEADER] = request.requestId
  headers['content-length'] = String(request.body.length)
  return headers
}

/** Passes an answer on, no faster than the client reads. */
function relay(response: IncomingMessage, exchange: Exchange): void {
  const headers = pairs(response.rawHeaders).filter(([name]) => !HOP_BY_HOP.has(name) && name !== 'date')
  exchange.begin(response.statusCode ?? 502, headers)
  response.on('data', (chunk: Buffer) => {
    if (exchange.write(chunk)) return
    response.pause()
    exchange.onWritable(() => response.resume())
  })
  response.on('end', () => exchange.end())
  response.on('error', () => exchange.destroy())
}

function pairs(rawHeaders: readonly string[]): [name: string, value: string][] {
  const result: [string, string][] = []
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    result.push([(rawHeaders[index] ?? '').toLowerCase(), rawHeaders[index + 1] ?? ''])
  }
  return result
}
