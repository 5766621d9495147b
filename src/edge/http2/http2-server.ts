import {
  createServer,
  type IncomingHttpHeaders,
  type Http2Server as NodeHttp2Server,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2'
import type { Logger } from '../../kernel/log.ts'
import { jsonAnswer } from '../../rpc/answer.ts'
import { type AllowedOrigins, preflightAnswer } from '../../rpc/cors.ts'
import type { Readiness } from '../../rpc/readiness.ts'
import { chooseRequestId, REQUEST_ID_HEADER } from '../../rpc/request-id.ts'
import type { BodyBudget, RequestCount } from '../exchange.ts'
import { failForwarded } from '../fail-forwarded.ts'
import type { Connection } from '../front/front.ts'
import type { IngestionMethod } from '../ingestion-method.ts'
import { queryUnavailable } from '../refusals.ts'
import { limitAnswerPause, limitBodyPause } from './client-pace.ts'
import { Http2Exchange } from './http2-exchange.ts'
import type { Http2Forwarder } from './http2-forward.ts'

/** What the HTTP/2 server is made of. */
export interface Http2ServerOptions {
  /** The methods that this process serves itself, by path. */
  readonly ingestion: ReadonlyMap<string, IngestionMethod>
  readonly forwarder: Http2Forwarder
  readonly readiness: Readiness
  readonly budget: BodyBudget
  readonly count: RequestCount
  readonly errorDomain: string
  readonly log: Logger
  /** `SERVICE_CORS_ORIGINS`. */
  readonly allowedOrigins?: AllowedOrigins
  /** Milliseconds after which a client that brings nothing of its body, or takes nothing of its answer, is let go. */
  readonly stallTimeoutMs?: number
}

/** As long as uWebSockets.js waits over HTTP/1.1. */
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

/** HTTP/2 on node:http2, for connections that the front hands over: ingestion here, everything else forwarded. */
export class Http2Server {
  readonly #options: Http2ServerOptions
  readonly #server: NodeHttp2Server
  readonly #sessions = new Set<ServerHttp2Session>()
  readonly #clients = new WeakMap<object, string>()
  #arriving: Connection | undefined

  constructor(options: Http2ServerOptions) {
    this.#options = options
    this.#server = createServer({
      settings: {
        maxConcurrentStreams: STREAMS_MAX,
        initialWindowSize: WINDOW_BYTES,
        maxFrameSize: FRAME_BYTES_MAX,
        enablePush: false,
      },
    })
    this.#server.on('session', (session) => this.#keep(session))
    this.#server.on('stream', (stream, headers) => this.#serve(stream, headers))
  }

  /** Takes over a connection whose first bytes were the HTTP/2 preface, or whose ALPN chose HTTP/2. */
  take(connection: Connection): void {
    this.#arriving = connection
    // The session begins within this call.
    this.#server.emit('connection', connection.socket)
  }

  /** Tells every client to go on elsewhere; streams under way finish. */
  goAway(): void {
    for (const session of this.#sessions) session.close()
  }

  /** Closes every connection. */
  close(): void {
    for (const session of this.#sessions) session.destroy()
  }

  #keep(session: ServerHttp2Session): void {
    const { socket, address } = this.#arriving ?? {}
    this.#clients.set(session, address ?? '')
    this.#sessions.add(session)
    session.setLocalWindowSize(CONNECTION_WINDOW_BYTES)
    session.setTimeout(IDLE_TIMEOUT_MS, () => session.close())
    session.once('close', () => this.#sessions.delete(session))
    // A broken connection is the client's affair; its streams hear of it themselves. A session that was closing already
    // would leave its socket open.
    session.on('error', () => {
      session.destroy()
      socket?.destroySoon()
    })
    if (this.#options.count.isDraining) session.close()
  }

  #serve(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
    const { budget, count, stallTimeoutMs = STALL_TIMEOUT_MS } = this.#options
    const exchange = new Http2Exchange({ stream, budget, count })
    limitBodyPause(stream, stallTimeoutMs)
    limitAnswerPause(stream, stallTimeoutMs)
    const [path = '', query = ''] = (headers[':path'] ?? '').split('?', 2)
    const method = headers[':method'] ?? ''
    const header = (name: string): string | undefined => headers[name]?.toString()
    const ingestion = this.#options.ingestion.get(path)
    if (ingestion && method !== 'OPTIONS') {
      return ingestion.serve(
        { method, path, hasTrailers: true, query, header, peer: this.#clientOf(stream) },
        exchange,
      )
    }
    if (method === 'OPTIONS') {
      const crossing = { path, origin: header('origin') ?? '' }
      return exchange.answer(preflightAnswer(crossing, this.#options.allowedOrigins))
    }
    if (method === 'GET' && path === '/healthz') return exchange.answer(jsonAnswer(200, { status: 'ok' }))
    if (method === 'GET' && path === '/readyz') return void this.#answerReadiness(exchange)
    this.#forward(stream, headers, exchange)
  }

  #clientOf(stream: ServerHttp2Stream): string {
    return (stream.session && this.#clients.get(stream.session)) ?? ''
  }

  async #answerReadiness(exchange: Http2Exchange): Promise<void> {
    exchange.answer(await this.#options.readiness.answer())
  }

  #forward(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, exchange: Http2Exchange): void {
    const { forwarder, errorDomain, log, allowedOrigins } = this.#options
    const path = (headers[':path'] ?? '').split('?', 1)[0] ?? ''
    const header = (name: string): string | undefined => headers[name]?.toString()
    const requestId = chooseRequestId(header(REQUEST_ID_HEADER))
    const client = this.#clientOf(stream)
    forwarder.forward({ stream, headers, client, requestId }, (cause) => {
      log.warn({ requestId, err: cause }, 'the query process cannot be reached')
      const call = {
        path,
        contentType: header('content-type') ?? '',
        origin: header('origin') ?? '',
        requestId,
        hasTrailers: true,
        allowedOrigins,
      }
      const error = queryUnavailable('the query process cannot be reached')
      exchange.answer(failForwarded(call, error, errorDomain))
    })
  }
}
