import { once } from 'node:events'
import {
  createServer as createHttp1Server,
  type Server as Http1Server,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import {
  createServer as createHttp2Server,
  type Http2Server,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from 'node:http2'
import type { Socket } from 'node:net'
import { createRpcListener, type RpcListenerOptions } from './rpc-listener.ts'

/** The servers of the query process; the listener passes each connection to the server of its protocol. */
export interface QueryServers {
  readonly http1: Http1Server
  readonly http2: Http2Server
  /** Resolves when every call under way is answered. */
  drain(): Promise<void>
}

/** A connection without a call for this long is closed, in milliseconds; longer than an edge keeps one. */
const KEEP_ALIVE_MS = 75_000

/** A request whose head takes longer is refused, in milliseconds; Node.js also refuses one whose body takes five minutes. */
const HEAD_MS_MAX = 10_000

/** Concurrent calls of one connection; an edge sends all of its calls over one. */
const STREAMS_MAX = 4096

/** Options of {@link createQueryServers}. */
export interface QueryServersOptions extends RpcListenerOptions {
  /** Shortened by tests. */
  readonly headMsMax?: number
}

/** Creates the servers of every RPC but ingestion. */
export function createQueryServers({
  headMsMax = HEAD_MS_MAX,
  ...options
}: QueryServersOptions): QueryServers {
  const listener = createRpcListener(options)
  const times = { headersTimeout: headMsMax, connectionsCheckingInterval: headMsMax }
  const http1 = createHttp1Server({ keepAliveTimeout: KEEP_ALIVE_MS, ...times }, listener)
  // The library looks for late requests once a server listens, which the front does in its place.
  http1.emit('listening')
  const calls = new Http1Calls(http1)
  const http2 = createHttp2Server({ settings: { maxConcurrentStreams: STREAMS_MAX } })
  const sessions = new Set<ServerHttp2Session>()
  http2.on('request', (request: Http2ServerRequest, response: Http2ServerResponse) =>
    listener(request, response),
  )
  // Without this listener node:http2 sends the interim answer by itself, and throws out of reach of any handler where the client
  // has reset the stream meanwhile.
  http2.on('checkContinue', (request: Http2ServerRequest, response: Http2ServerResponse) => {
    const { stream } = request
    if (stream.closed || stream.destroyed) return
    response.writeContinue()
    listener(request, response)
  })
  http2.on('session', (session) => {
    sessions.add(session)
    session.setTimeout(KEEP_ALIVE_MS, () => session.close())
    session.once('close', () => sessions.delete(session))
    // A broken connection cancels its calls.
    session.on('error', () => session.destroy())
  })
  return {
    http1,
    http2,
    drain: async () => void (await Promise.all([calls.drain(), drainHttp2(sessions)])),
  }
}

/** The connections and the calls of a server that has not accepted its connections itself, so that it counts none. */
class Http1Calls {
  readonly #sockets = new Set<Socket>()
  readonly #running = new Set<ServerResponse<IncomingMessage>>()

  constructor(server: Http1Server) {
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket)
      socket.once('close', () => this.#sockets.delete(socket))
    })
    server.on('request', (_, response) => {
      this.#running.add(response)
      response.once('close', () => this.#running.delete(response))
    })
  }

  /** Resolves when every call is answered. Connections without one are closed, because they could bring further calls. */
  async drain(): Promise<void> {
    this.#closeIdle()
    while (this.#running.size > 0) {
      const answered = Array.from(
        this.#running,
        (response) => new Promise((end) => response.once('close', end)),
      )
      await Promise.race(answered)
      this.#closeIdle()
    }
  }

  #closeIdle(): void {
    const busy = new Set(Array.from(this.#running, ({ req }) => req.socket))
    for (const socket of this.#sockets) if (!busy.has(socket)) socket.destroySoon()
  }
}

async function drainHttp2(sessions: ReadonlySet<ServerHttp2Session>): Promise<void> {
  const closed = Array.from(sessions, async (session) => {
    session.close()
    if (!session.destroyed) await once(session, 'close')
  })
  await Promise.all(closed)
}
