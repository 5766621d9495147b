import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2'
import { REQUEST_ID_HEADER } from '../../rpc/request-id.ts'
import { isHopByHop } from '../hop-by-hop.ts'
import { isOver } from './is-over.ts'

/** A stream as it came in, to be sent on. */
export interface ForwardedStream {
  readonly stream: ServerHttp2Stream
  readonly headers: IncomingHttpHeaders
  /** Address of the client. */
  readonly client: string
  readonly requestId: string
}

/** Where to and within which bounds. */
export interface Http2ForwarderOptions {
  /** The query process now; `undefined` while it is starting. */
  readonly target: () => string | undefined
  /** Milliseconds without a byte after which the query process counts as stuck. */
  readonly idleTimeoutMs: number
}

/** Hands streams to the query process over one HTTP/2 connection, messages and trailers as they come. */
export class Http2Forwarder {
  readonly #options: Http2ForwarderOptions
  #session: { readonly target: string; readonly http2: ClientHttp2Session } | undefined

  constructor(options: Http2ForwarderOptions) {
    this.#options = options
  }

  /**
   * Forwards; calls `refuse` when nothing was answered and nothing will be. An answer that breaks off resets the stream: an
   * end would make a part of it look whole.
   */
  forward(forwarded: ForwardedStream, refuse: (cause: Error | undefined) => void): void {
    const session = this.#connect()
    if (!session) return refuse(undefined)
    const { stream } = forwarded
    // `close` would end the request before it resets it, and a part would look whole; so would a part of an answer.
    const giveUp = new AbortController()
    const upstream = openStream(session, forwarded, giveUp.signal)
    if (!upstream) return refuse(undefined)
    const { idleTimeoutMs } = this.#options
    upstream.setTimeout(idleTimeoutMs, () =>
      giveUp.abort(new Error('the query process did not answer in time')),
    )
    let cause: Error | undefined
    upstream.on('error', (error) => {
      cause = error
    })
    // A stream whose body nobody reads on is not closed by a reset without an error.
    stream.once('aborted', () => giveUp.abort())
    stream.once('close', () => giveUp.abort())
    relayAnswer(upstream, stream)
    // Node.js would wait until all of the body is sent, which nobody reads after the answer.
    upstream.once('end', () => giveUp.abort())
    relayBody(stream, upstream)
    // The only event that follows in every case: Node.js has no error for the streams of a connection that was lost.
    upstream.once('close', () => {
      // A client that sends on after its answer must not fill the window for ever; a stream that was reset ends when it is read.
      stream.resume()
      if (isOver(stream)) return
      if (!stream.headersSent) refuse(cause)
      else if (!stream.writableEnded) stream.destroy(new Error('the answer broke off'))
    })
  }

  /** Closes the connection to the query process. */
  close(): void {
    this.#session?.http2.close()
  }

  #connect(): ClientHttp2Session | undefined {
    const target = this.#options.target()
    if (target === undefined) return undefined
    const current = this.#session
    if (current?.target === target && !current.http2.closed && !current.http2.destroyed) return current.http2
    current?.http2.close()
    const http2 = connect(target)
    // Each stream sees the failure itself; the session is replaced by the next request.
    http2.on('error', () => undefined)
    this.#session = { target, http2 }
    return http2
  }
}

/** `undefined` when the connection is about to close, or when the head is none that can be sent on. */
function openStream(
  session: ClientHttp2Session,
  forwarded: ForwardedStream,
  signal: AbortSignal,
): ClientHttp2Stream | undefined {
  try {
    return session.request(forwardedHeaders(forwarded), { signal })
  } catch {
    return undefined
  }
}

/** Passes a body on as it comes; ends only what came whole, so that no call runs with a part of its request: a reset ends too. */
function relayBody(stream: ServerHttp2Stream, upstream: ClientHttp2Stream): void {
  stream.pipe(upstream, { end: false })
  stream.once('end', () => {
    if (!isOver(stream)) upstream.end()
  })
}

/** Passes an answer on as it comes, no faster than the client reads; ends only what came whole. */
function relayAnswer(upstream: ClientHttp2Stream, stream: ServerHttp2Stream): void {
  let trailers: IncomingHttpHeaders = {}
  upstream.on('response', (received, flags) => {
    const isEnd = (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0
    respond(stream, received, isEnd)
  })
  upstream.on('trailers', (received) => {
    trailers = received
  })
  stream.on('wantTrailers', () => stream.sendTrailers(withoutPseudo(trailers)))
  upstream.pipe(stream, { end: false })
  // A stream that was cancelled ends too.
  upstream.once('end', () => {
    const isWhole = upstream.rstCode === constants.NGHTTP2_NO_ERROR
    if (isWhole && stream.headersSent) stream.end()
  })
}

function respond(stream: ServerHttp2Stream, received: IncomingHttpHeaders, isEnd: boolean): void {
  if (isOver(stream) || stream.headersSent) return
  const headers = { ':status': Number(received[':status'] ?? 502), ...withoutPseudo(received) }
  stream.respond(headers, isEnd ? { endStream: true } : { waitForTrailers: true })
}

function forwardedHeaders({ headers, client, requestId }: ForwardedStream): OutgoingHttpHeaders {
  const sentFor = headers['x-forwarded-for']
  return {
    ':method': headers[':method'],
    ':path': headers[':path'],
    ...withoutPseudo(headers),
    'x-forwarded-for': sentFor === undefined ? client : `${String(sentFor)}, ${client}`,
    [REQUEST_ID_HEADER]: requestId,
  }
}

function withoutPseudo(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !name.startsWith(':') && !isHopByHop(name)),
  )
}
