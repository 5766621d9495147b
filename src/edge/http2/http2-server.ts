import {
  createServer,
  type IncomingHttpHeaders,
  type Http2Server as NodeHttp2Server,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2'
import type { ServiceError } from '../../contract/service-error.ts'
import type { Logger } from '../../kernel/log.ts'
import { type AllowedOrigins, preflightAnswer } from '../../rpc/cors.ts'
import { messageBytesMaxOf } from '../../rpc/message-bounds.ts'
import { LIVENESS, type Readiness } from '../../rpc/readiness.ts'
import { chooseRequestId, REQUEST_ID_HEADER } from '../../rpc/request-id.ts'
import { Router } from '../../rpc/router.ts'
import type { BodyBudget } from '../body-budget.ts'
import { type EdgeMethods, type EdgeTarget, edgeRoutes, FORWARD } from '../edge-routes.ts'
import type { BodyOutcome, RequestCount } from '../exchange.ts'
import { failForwarded, forwardedBytesMax } from '../fail-forwarded.ts'
import type { ConnectionUse } from '../front/connection-room.ts'
import type { Connection } from '../front/front.ts'
import { HEALTH_WATCH_PATH, type HealthOptions, watchHealth } from '../health.ts'
import { overloaded, queryUnavailable, unreadBody } from '../refusals.ts'
import { isRequestStream, type UpstreamRooms } from '../upstream-rooms.ts'
import { limitAnswerPause, limitBodyPause } from './client-pace.ts'
import { Http2Exchange } from './http2-exchange.ts'
import type { ForwardFailure, Http2Forwarder } from './http2-forward.ts'
import { LIBRARY_RESETS, ResetDetector } from './reset-detector.ts'

/** Options of the HTTP/2 server. */
export interface Http2ServerOptions extends EdgeMethods {
  readonly forwarder: Http2Forwarder
  readonly rooms: UpstreamRooms
  readonly readiness: Readiness
  readonly budget: BodyBudget
  readonly count: RequestCount
  readonly errorDomain: string
  readonly bodyBytesMax: number
  readonly log: Logger
  /** Serves `grpc.health.v1.Health/Watch`; without it, the query process answers. */
  readonly health?: HealthOptions
  /** `SERVICE_CORS_ORIGINS`. */
  readonly allowedOrigins?: AllowedOrigins
  /** Milliseconds after which a client is dropped that sends nothing of its body, or reads nothing of its answer. */
  readonly stallTimeoutMs?: number
}

/** The same timeout as that of uWebSockets.js for HTTP/1.1. */
const STALL_TIMEOUT_MS = 10_000

/** A connection without a stream for this long is closed, in milliseconds. */
const IDLE_TIMEOUT_MS = 120_000

/** Streams of one connection at once; a client that wants more opens another connection. */
const STREAMS_MAX = 256

/** One stream's body may be on its way whole before we read, up to this; it spares small calls a round trip. */
const WINDOW_BYTES = 1024 * 1024

/** The same for all streams of a connection together; the protocol's own 64 KiB would stop batches in their middle. */
const CONNECTION_WINDOW_BYTES = 8 * WINDOW_BYTES

/** Batches come in a few frames instead of dozens. */
const FRAME_BYTES_MAX = 256 * 1024

/** The peer of a connection. */
interface ClientOfSession {
  /** One per connection. */
  readonly id: string
  readonly address: string
  readonly use: ConnectionUse | undefined
}

/** HTTP/2 on node:http2, for connections that the front hands over: ingestion here, everything else forwarded. */
export class Http2Server {
  readonly #options: Http2ServerOptions
  readonly #router: Router<EdgeTarget>
  readonly #server: NodeHttp2Server
  readonly #sessions = new Set<ServerHttp2Session>()
  readonly #clients = new WeakMap<object, ClientOfSession>()
  #sessionCount = 0
  #arriving: Connection | undefined

  constructor(options: Http2ServerOptions) {
    this.#options = options
    this.#router = new Router(edgeRoutes(options), FORWARD)
    this.#server = createServer({
      ...LIBRARY_RESETS,
      settings: {
        maxConcurrentStreams: STREAMS_MAX,
        initialWindowSize: WINDOW_BYTES,
        maxFrameSize: FRAME_BYTES_MAX,
        enablePush: false,
      },
    })
    this.#server.on('session', (session) => this.#keep(session))
  }

  /** Takes over a connection whose first bytes were the HTTP/2 preface, or whose ALPN chose HTTP/2. */
  take(connection: Connection): void {
    this.#arriving = connection
    // The session begins within this call.
    this.#server.emit('connection', connection.socket)
  }

  /** Sends GOAWAY to every client; open streams finish. */
  goAway(): void {
    for (const session of this.#sessions) session.close()
  }

  /** Closes every connection. */
  close(): void {
    for (const session of this.#sessions) session.destroy()
  }

  #keep(session: ServerHttp2Session): void {
    const { socket, address, use } = this.#arriving ?? {}
    const id = this.#sessionCount++
    this.#clients.set(session, { id: String(id), address: address ?? '', use })
    this.#sessions.add(session)
    const resets = new ResetDetector(session)
    session.on('stream', (stream, headers) => {
      if (resets.admit(stream)) this.#serve(stream, headers)
    })
    session.setLocalWindowSize(CONNECTION_WINDOW_BYTES)
    session.setTimeout(IDLE_TIMEOUT_MS, () => session.close())
    session.once('close', () => this.#sessions.delete(session))
    // A broken connection is a fault of the client, and its streams get their own events. A session that was already closing
    // would leave its socket open.
    session.on('error', () => {
      session.destroy()
      socket?.destroySoon()
    })
    if (this.#options.count.isDraining) session.close()
  }

  #serve(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
    const { budget, count, stallTimeoutMs = STALL_TIMEOUT_MS } = this.#options
    const { id: connection = '', use } = this.#sessionOf(stream) ?? {}
    const announcedBytes = Number(headers['content-length'] ?? 0)
    const exchange = new Http2Exchange({ stream, connection, announcedBytes, budget, count })
    use?.begin()
    stream.once('close', () => use?.end())
    limitBodyPause(stream, stallTimeoutMs)
    limitAnswerPause(stream, stallTimeoutMs)
    const [path = '', query = ''] = (headers[':path'] ?? '').split('?', 2)
    const method = headers[':method'] ?? ''
    const header = (name: string): string | undefined => headers[name]?.toString()
    const target = this.#router.find(method, path)
    if (target.kind === 'ingestion' || target.kind === 'dialect') {
      const head = { method, path, hasTrailers: true, query, header, peer: this.#clientOf(stream) }
      const { health } = this.#options
      if (health && path === HEALTH_WATCH_PATH) return watchHealth({ stream, head, exchange }, health)
      return target.method.serve(head, exchange)
    }
    if (target.kind === 'preflight') {
      const crossing = { path, origin: header('origin') ?? '' }
      return exchange.answer(preflightAnswer(crossing, this.#options.allowedOrigins))
    }
    if (target.kind === 'liveness') return exchange.answer(LIVENESS)
    if (target.kind === 'readiness') return void this.#answerReadiness(exchange)
    this.#forward(stream, headers, exchange)
  }

  #sessionOf({ session }: ServerHttp2Stream): ClientOfSession | undefined {
    return session && this.#clients.get(session)
  }

  #clientOf(stream: ServerHttp2Stream): string {
    return this.#sessionOf(stream)?.address ?? ''
  }

  async #answerReadiness(exchange: Http2Exchange): Promise<void> {
    exchange.answer(await this.#options.readiness.answer())
  }

  #forward(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, exchange: Http2Exchange): void {
    const { forwarder, rooms, errorDomain, bodyBytesMax, allowedOrigins } = this.#options
    const [path = ''] = (headers[':path'] ?? '').split('?', 1)
    const method = headers[':method'] ?? ''
    const header = (name: string): string | undefined => headers[name]?.toString()
    const requestId = chooseRequestId(header(REQUEST_ID_HEADER))
    const client = this.#clientOf(stream)
    const caller = rooms.describe({ method, path, peer: client, header })
    const contentType = header('content-type') ?? ''
    const origin = header('origin') ?? ''
    const call = { path, contentType, origin, requestId, hasTrailers: true, allowedOrigins }
    const fail = (error: ServiceError): void => exchange.answer(failForwarded(call, error, errorDomain))
    const forwarded = { stream, headers, client, caller, requestId }
    const refuse = (failure: ForwardFailure): void => fail(this.#errorOf(failure, requestId))
    if (isRequestStream(path)) return forwarder.forward(forwarded, refuse)
    const bytesMax = messageBytesMaxOf(path, bodyBytesMax)
    const take = (outcome: BodyOutcome): void => {
      if ('body' in outcome) forwarder.forward({ ...forwarded, body: outcome.body }, refuse)
      else fail(unreadBody(outcome.refused, bytesMax))
    }
    exchange.readBody(forwardedBytesMax(contentType, bytesMax), take, caller)
  }

  #errorOf(failure: ForwardFailure, requestId: string): ServiceError {
    if (failure.kind === 'no room') return overloaded()
    this.#options.log.warn({ requestId, err: failure.cause }, 'the query process cannot be reached')
    return queryUnavailable('the query process cannot be reached')
  }
}
