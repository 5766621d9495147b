import * as uWebSockets from 'uWebSockets.js'
import {
  App,
  type HttpRequest,
  type HttpResponse,
  SSLApp,
  type TemplatedApp,
  type us_listen_socket,
  us_listen_socket_close,
} from 'uWebSockets.js'
import type { AddressRanges } from '../../kernel/address-ranges.ts'
import { LIMITS } from '../../kernel/limits.ts'
import { type Answer, errorAnswer } from '../../rpc/answer.ts'
import { type AllowedOrigins, preflightAnswer } from '../../rpc/cors.ts'
import { messageBytesMaxOf } from '../../rpc/message-bounds.ts'
import { LIVENESS, type Readiness } from '../../rpc/readiness.ts'
import { chooseRequestId, REQUEST_ID_HEADER } from '../../rpc/request-id.ts'
import { EVERY_PATH, type RouteMethod, route } from '../../rpc/router.ts'
import type { BodyBudget } from '../body-budget.ts'
import { type EdgeMethods, type EdgeTarget, edgeRoutes, FORWARD } from '../edge-routes.ts'
import type { BodyOutcome, EdgeMethod, RequestCount, RequestHead } from '../exchange.ts'
import { failForwarded, forwardedBytesMax } from '../fail-forwarded.ts'
import type { ClientHandles } from '../front/client-handles.ts'
import { headTooLarge, malformedRequest, unreadBody } from '../refusals.ts'
import type { UpstreamRooms } from '../upstream-rooms.ts'
import { Http1Exchange } from './http1-exchange.ts'
import type { Http1Forwarder } from './http1-forward.ts'

/** Options of the HTTP/1.1 server. */
export interface Http1ServerOptions extends EdgeMethods {
  readonly forwarder: Http1Forwarder
  readonly rooms: UpstreamRooms
  readonly readiness: Readiness
  readonly budget: BodyBudget
  readonly count: RequestCount
  readonly bodyBytesMax: number
  readonly errorDomain: string
  readonly trustedProxies: AddressRanges
  /** Clients by handle, when connections come from the front; without it, clients connect directly. */
  readonly handles?: ClientHandles
  /** Connections at once, when they come from anywhere. */
  readonly connectionsMax?: number
  /** `SERVICE_CORS_ORIGINS`. */
  readonly allowedOrigins?: AllowedOrigins
  /** Paths of PEM files, when it speaks TLS itself. */
  readonly tls?: { readonly certPath: string; readonly keyPath: string }
}

/** `LIBUS_LISTEN_EXCLUSIVE_PORT`: without it two processes could listen on one port, each with a part of the traffic. */
const EXCLUSIVE_PORT = 1

/** The overload with a host and options, which the library has and its types leave out. */
interface ListensExclusively {
  listen(
    host: string,
    port: number,
    options: number,
    done: (socket: us_listen_socket | false) => void,
  ): unknown
}

/** The option of the library that leaves the header `uWebSockets` out of its answers, which its types leave out too. */
const WITHOUT_MARK = '999999990007'
const { _cfg: configure } = uWebSockets as unknown as { readonly _cfg: (option: string) => void }
configure(WITHOUT_MARK)

const NATIVE_METHODS = {
  GET: 'get',
  OPTIONS: 'options',
  any: 'any',
} as const satisfies Record<RouteMethod, keyof TemplatedApp>

/** HTTP/1.1 on uWebSockets.js: ingestion is served here, everything else is forwarded. */
export class Http1Server {
  readonly #options: Http1ServerOptions
  readonly #app: TemplatedApp
  readonly #sockets: us_listen_socket[] = []

  constructor(options: Http1ServerOptions) {
    this.#options = options
    const { tls, connectionsMax } = options
    this.#app = tls ? SSLApp({ cert_file_name: tls.certPath, key_file_name: tls.keyPath }) : App()
    const routes = [...edgeRoutes(options), route('any', EVERY_PATH, FORWARD)]
    for (const { method, path, target } of routes) {
      this.#app[NATIVE_METHODS[method]](path, (response, request) =>
        this.#serve(target, { exchange: this.#track(response, request), response, request }),
      )
    }
    if (connectionsMax !== undefined) limitConnections(this.#app, connectionsMax)
  }

  /** Listens on an address; false when it is taken. */
  async listen(host: string, port: number): Promise<boolean> {
    const app = this.#app as unknown as ListensExclusively
    return await new Promise((resolve) => {
      app.listen(host, port, EXCLUSIVE_PORT, (socket) => resolve(this.#listens(socket)))
    })
  }

  /** Listens on a Unix socket for connections that begin with a handle; false when it cannot. */
  async listenAt(path: string): Promise<boolean> {
    return await new Promise((resolve) => {
      this.#app.listen_unix((socket) => resolve(this.#listens(socket)), path)
    })
  }

  /** Accepts no further connection. */
  stopAccepting(): void {
    for (const socket of this.#sockets.splice(0)) us_listen_socket_close(socket)
  }

  /** Closes every connection. */
  close(): void {
    this.stopAccepting()
    this.#app.close()
  }

  #listens(socket: us_listen_socket | false): boolean {
    if (socket) this.#sockets.push(socket)
    return Boolean(socket)
  }

  #track(response: HttpResponse, request: HttpRequest): Http1Exchange {
    const { budget, count, handles } = this.#options
    const isLast = handles === undefined && mustBeLast(response, request)
    return new Http1Exchange({ response, request, budget, count, isLast })
  }

  #serve(target: EdgeTarget, arrived: ArrivedRequest): void {
    const { exchange, response, request } = arrived
    if (target.kind === 'ingestion') return this.#ingest(target, arrived)
    if (target.kind === 'dialect')
      return this.#ingest({ path: request.getUrl(), method: target.method }, arrived)
    if (target.kind === 'forward') return this.#forward(exchange, response, request)
    if (target.kind === 'preflight') return this.#answerPreflight(exchange, request)
    if (target.kind === 'readiness') return void this.#answerReadiness(exchange)
    exchange.answer(LIVENESS)
  }

  async #answerReadiness(exchange: Http1Exchange): Promise<void> {
    exchange.answer(await this.#options.readiness.answer())
  }

  #answerPreflight(exchange: Http1Exchange, request: HttpRequest): void {
    const crossing = { path: request.getUrl(), origin: request.getHeader('origin') }
    exchange.answer(preflightAnswer(crossing, this.#options.allowedOrigins))
  }

  #ingest(
    { path, method }: { readonly path: string; readonly method: EdgeMethod },
    { exchange, response, request }: ArrivedRequest,
  ): void {
    // A response must not be touched once its client left.
    const readPeer = (): string => (exchange.isOver ? '' : (this.#clientOf(response) ?? ''))
    const head = new Http1Head(path, request, readPeer)
    if (head.isMalformed) exchange.answer(this.#refuseMalformed())
    else method.serve(head, exchange)
    head.release()
  }

  #forward(exchange: Http1Exchange, response: HttpResponse, request: HttpRequest): void {
    const { forwarder, bodyBytesMax, errorDomain, allowedOrigins } = this.#options
    const path = request.getUrl()
    const query = request.getQuery()
    const method = request.getCaseSensitiveMethod()
    const headers = readHeaders(request)
    if (isDoubtful(headers)) return exchange.answer(this.#refuseMalformed())
    const client = this.#clientOf(response)
    // Only the front connects to a listener behind it.
    if (client === undefined) return exchange.destroy()
    const call = {
      path,
      contentType: request.getHeader('content-type'),
      origin: request.getHeader('origin'),
      requestId: chooseRequestId(request.getHeader(REQUEST_ID_HEADER) || undefined),
      hasTrailers: false,
      allowedOrigins,
    }
    const header = (name: string): string => request.getHeader(name)
    const caller = this.#options.rooms.describe({ method, path, peer: client, header })
    const target = query ? `${path}?${query}` : path
    const headBytes = bytesOfHead(target, headers)
    if (headBytes > LIMITS.forwardedHeadBytesMax) {
      const error = headTooLarge(headBytes, LIMITS.forwardedHeadBytesMax)
      return exchange.readBody(0, () => exchange.answer(failForwarded(call, error, errorDomain)))
    }
    const forwarded = { method, target, headers, client, caller, call }
    const bytesMax = messageBytesMaxOf(path, bodyBytesMax)
    const take = (outcome: BodyOutcome): void => {
      if ('body' in outcome) forwarder.forward({ ...forwarded, body: Buffer.from(outcome.body) }, exchange)
      else exchange.answer(failForwarded(call, unreadBody(outcome.refused, bytesMax), errorDomain))
    }
    exchange.readBody(forwardedBytesMax(call.contentType, bytesMax), take, caller)
  }

  #refuseMalformed(): Answer {
    const context = { requestId: chooseRequestId(undefined), domain: this.#options.errorDomain }
    return errorAnswer(malformedRequest('the length of the body is in doubt'), context)
  }

  /** Client of a connection according to the front; without a front the peer, or the client that a trusted peer names. */
  #clientOf(response: HttpResponse): string | undefined {
    const { handles, trustedProxies } = this.#options
    if (handles) return handles.find(response.getProxiedRemoteAddress())
    const peer = asText(response.getRemoteAddressAsText())
    const proxied = asText(response.getProxiedRemoteAddressAsText())
    return proxied !== '' && trustedProxies.includes(peer) ? proxied : peer
  }
}

/** A request with complete headers. */
interface ArrivedRequest {
  readonly exchange: Http1Exchange
  readonly response: HttpResponse
  readonly request: HttpRequest
}

/** Bytes of the longest body without an event: `{}`. */
const EMPTY_BODY_BYTES_MAX = 2

/**
 * The head of an ingestion request. uWebSockets.js invalidates headers after the tick in which they arrived, so they are
 * copied, unless the body is too short for an event: then no header is needed later, and copying is half the cost of such a
 * call (benchmark case `noop/http1-direct`).
 */
class Http1Head implements RequestHead {
  readonly path: string
  readonly hasTrailers = false
  readonly method: string
  /** True when the fields leave the end of the body ambiguous. */
  readonly isMalformed: boolean
  readonly #copies: Map<string, string> | undefined
  readonly #readPeer: () => string
  #request: HttpRequest | undefined

  constructor(path: string, request: HttpRequest, readPeer: () => string) {
    this.path = path
    this.method = request.getMethod()
    this.#request = request
    this.#readPeer = readPeer
    const contentLength = request.getHeader('content-length')
    if (contentLength === '' || Number(contentLength) > EMPTY_BODY_BYTES_MAX)
      this.#copies = copyHeaders(request)
    this.isMalformed = this.#copies !== undefined && isDoubtful(this.#copies)
  }

  get peer(): string {
    return this.#readPeer()
  }

  get query(): string {
    return this.#request?.getQuery() ?? ''
  }

  header(name: string): string | undefined {
    return this.#copies ? this.#copies.get(name) : this.#request?.getHeader(name)
  }

  /** Ends the tick. */
  release(): void {
    this.#request = undefined
  }
}

function copyHeaders(request: HttpRequest): Map<string, string> {
  const copies = new Map<string, string>()
  request.forEach((name, value) => {
    const sent = copies.get(name)
    copies.set(name, sent === undefined ? value : `${sent}, ${value}`)
  })
  return copies
}

function readHeaders(request: HttpRequest): [name: string, value: string][] {
  const headers: [string, string][] = []
  request.forEach((name, value) => {
    headers.push([name, value])
  })
  return headers
}

/** Bytes around the parts of a request line, and around the name and the value of a header. */
const LINE_BYTES = 16
const HEADER_BYTES = 4

function bytesOfHead(target: string, headers: readonly (readonly [name: string, value: string])[]): number {
  let bytes = LINE_BYTES + target.length
  for (const [name, value] of headers) bytes += name.length + value.length + HEADER_BYTES
  return bytes
}

function asText(address: ArrayBuffer): string {
  return Buffer.from(address).toString('latin1')
}

/**
 * Whether a request is the last that may be read from a connection without a front. The library believes a PROXY header
 * before every request, so that only the first one counts; and it is lenient with chunks, so that where a body in chunks
 * ends is not beyond doubt.
 */
function mustBeLast(response: HttpResponse, request: HttpRequest): boolean {
  return request.getHeader('transfer-encoding') !== '' || response.getProxiedRemoteAddress().byteLength > 0
}

/** A field that frames the body counts once; the library takes the first of several, and any coding for `chunked`. */
function isDoubtful(headers: Iterable<readonly [name: string, value: string]>): boolean {
  let isFramed = false
  for (const [name, value] of headers) {
    if (name !== 'content-length' && name !== 'transfer-encoding') continue
    if (isFramed || !(name === 'content-length' ? /^\d+$/ : /^chunked$/).test(value)) return true
    isFramed = true
  }
  return false
}

/** Lets go of connections beyond a number: each costs a descriptor, of which the process needs some itself. */
function limitConnections(app: TemplatedApp, connectionsMax: number): void {
  let connections = 0
  const count = (response: HttpResponse, change: number): void => {
    connections += change
    if (change > 0 && connections > connectionsMax) response.close()
  }
  app.filter(count)
}
