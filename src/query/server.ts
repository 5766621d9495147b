import { once } from 'node:events'
import { createServer as createHttp1Server, type Server as Http1Server } from 'node:http'
import {
  createServer as createHttp2Server,
  type Http2Server,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from 'node:http2'
import { createRpcListener, type RpcListenerOptions } from './rpc-listener.ts'

/** The servers of the query process; the listener passes each connection to the server of its protocol. */
export interface QueryServers {
  readonly http1: Http1Server
  readonly http2: Http2Server
  /** Resolves when every call under way is answered and its connection closed. */
  drain(): Promise<void>
}

/** A connection without a call for this long is closed, in milliseconds; longer than an edge keeps one. */
const KEEP_ALIVE_MS = 75_000

/** Concurrent calls of one connection; an edge sends all of its calls over one. */
const STREAMS_MAX = 4096

/** Creates the servers of every RPC but ingestion. */
export function createQueryServers(options: RpcListenerOptions): QueryServers {
  const listener = createRpcListener(options)
  const http1 = createHttp1Server({ keepAliveTimeout: KEEP_ALIVE_MS }, listener)
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
  return { http1, http2, drain: async () => await drain(http1, sessions) }
}

async function drain(http1: Http1Server, sessions: ReadonlySet<ServerHttp2Session>): Promise<void> {
  const closed = [...sessions].map(async (session) => {
    session.close()
    if (!session.destroyed) await once(session, 'close')
  })
  http1.close()
  http1.closeIdleConnections()
  // The server never listened itself, so it has no event of its own for this.
  const untilClosed = new Promise<void>((resolve) => {
    http1.getConnections((_, connectionCount) => {
      if (connectionCount === 0) resolve()
      else http1.once('close', () => resolve())
    })
  })
  await Promise.all([untilClosed, ...closed])
}
