import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2'
import { HELD_BYTES_MAX, readEdgeNotes } from '../../rpc/edge-notes.ts'
import { REQUEST_ID_HEADER } from '../../rpc/request-id.ts'
import { isHopByHop } from '../hop-by-hop.ts'
import type { UpstreamPulse } from '../upstream-pulse.ts'
import type { ForwardedCaller, UpstreamRooms } from '../upstream-rooms.ts'
import { isOver } from './is-over.ts'

/** A stream as it came in, to be sent on. */
export interface ForwardedStream {
  readonly stream: ServerHttp2Stream
  readonly headers: IncomingHttpHeaders
  /** Address of the client. */
  readonly client: string
  readonly caller: ForwardedCaller
  readonly requestId: string
  /** The whole body; absent for a stream of requests, which is passed on as it comes. */
  readonly body?: Buffer
}

/** The reason why a call was not answered. */
export type ForwardFailure =
  | { readonly kind: 'no room' }
  | { readonly kind: 'unreachable'; readonly cause?: Error | undefined }

/** The target of forwarded calls, and their bounds. */
export interface Http2ForwarderOptions {
  /** The query process now; `undefined` while it is starting. */
  readonly target: () => string | undefined
  readonly rooms: UpstreamRooms
  /** Milliseconds without a byte after which a call is given up. */
  readonly idleTimeoutMs: number
  /** Gives calls up earlier when the query process hangs. */
  readonly pulse: UpstreamPulse
}

/** Connections to the query process: a busy one holds up only a part of the calls. */
const SESSIONS = 4

/** A connection to the query process, and the calls on it. */
interface Session {
  readonly target: string
  readonly http2: ClientHttp2Session
  running: number
}

/** Hands streams to the query process over a few HTTP/2 connections, answers and trailers as they come. */
export class Http2Forwarder {
  readonly #options: Http2ForwarderOptions
  #sessions: Session[] = []

  constructor(options: Http2ForwarderOptions) {
    this.#options = options
  }

  /**
   * Forwards once there is a connection; calls `refuse` when nothing was answered and nothing will be. A truncated answer
   * resets the stream, because a normal end would make it look complete.
   */
  forward(forwarded: ForwardedStream, refuse: (failure: ForwardFailure) => void): void {
    const { stream, caller } = forwarded
    this.#options.rooms.enter(caller, {
      get isOver() {
        return isOver(stream)
      },
      start: (leave) => {
        const session = this.#connect()
        if (session) return this.#send(session, forwarded, { leave, refuse })
        leave()
        refuse({ kind: 'unreachable' })
      },
      refuse: () => refuse({ kind: 'no room' }),
    })
  }

  /** Closes the connections to the query process. */
  close(): void {
    for (const { http2 } of this.#sessions) http2.close()
  }

  #send(
    session: Session,
    forwarded: ForwardedStream,
    { leave, refuse }: { readonly leave: () => void; readonly refuse: (failure: ForwardFailure) => void },
  ): void {
    const { stream } = forwarded
    // `close` would end the request before it resets it, and a part would look whole; so would a part of an answer.
    const giveUp = new AbortController()
    const upstream = openStream(session.http2, forwarded, giveUp.signal)
    if (!upstream) {
      leave()
      return refuse({ kind: 'unreachable' })
    }
    session.running++
    const { idleTimeoutMs, rooms, pulse } = this.#options
    upstream.setTimeout(idleTimeoutMs, () =>
      giveUp.abort(new Error('the query process did not respond in time')),
    )
    const unwatch = pulse.watch(() => giveUp.abort(new Error('the query process hangs')))
    let cause: Error | undefined
    upstream.on('error', (error) => {
      cause = error
    })
    // A reset without an error does not close a stream with an unread body.
    stream.once('aborted', () => giveUp.abort())
    stream.once('close', () => giveUp.abort())
    const relayed = new AnswerRelay(upstream, forwarded, rooms)
    // Node.js would wait until all of the body is sent, which is not read after the answer.
    upstream.once('end', () => giveUp.abort())
    if (forwarded.body?.length) upstream.end(forwarded.body)
    else if (forwarded.body) upstream.end()
    else relayBody(stream, upstream)
    // The only event that follows in every case: Node.js has no error for the streams of a connection that was lost.
    upstream.once('close', () => {
      session.running--
      unwatch()
      leave()
      // A client that sends on after its answer must not keep the window full; a stream that was reset ends when it is read.
      stream.resume()
      if (isOver(stream) || relayed.isHeld) return
      if (!stream.headersSent) refuse({ kind: 'unreachable', cause })
      else if (!stream.writableEnded) stream.destroy(new Error('the answer broke off'))
    })
  }

  #connect(): Session | undefined {
    const target = this.#options.target()
    if (target === undefined) return undefined
    const isUsable = (session: Session): boolean =>
      session.target === target && !session.http2.closed && !session.http2.destroyed
    for (const session of this.#sessions) if (!isUsable(session)) session.http2.close()
    this.#sessions = this.#sessions.filter(isUsable)
    const [least] = this.#sessions.toSorted((one, other) => one.running - other.running)
    if (least && (least.running === 0 || this.#sessions.length >= SESSIONS)) return least
    const http2 = connect(target)
    // Each stream sees the failure itself; the session is replaced by the next request.
    http2.on('error', () => undefined)
    const session = { target, http2, running: 0 }
    this.#sessions.push(session)
    return session
  }
}

/** `undefined` when the connection is about to close, or when the head is none that can be sent on. */
function openStream(
  session: ClientHttp2Session,
  forwarded: ForwardedStream,
  signal: AbortSignal,
): ClientHttp2Stream | undefined {
  try {
    return session.request(forwardedHeaders(forwarded), {
      signal,
      endStream: forwarded.body?.length === 0,
    })
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

/** Passes an answer on as it comes, no faster than the client reads, or later, when it is to be held; ends only what came whole. */
class AnswerRelay {
  readonly #upstream: ClientHttp2Stream
  readonly #stream: ServerHttp2Stream
  readonly #caller: ForwardedCaller
  readonly #rooms: UpstreamRooms
  #trailers: IncomingHttpHeaders = {}
  #sendLater: (() => void) | undefined
  #isHeld = false

  constructor(
    upstream: ClientHttp2Stream,
    { stream, caller }: Pick<ForwardedStream, 'stream' | 'caller'>,
    rooms: UpstreamRooms,
  ) {
    this.#upstream = upstream
    this.#stream = stream
    this.#caller = caller
    this.#rooms = rooms
    upstream.on('response', (received, flags) => this.#begin(received, flags))
    upstream.on('trailers', (received) => {
      this.#trailers = received
    })
    upstream.once('end', () => this.#end())
    stream.on('wantTrailers', () => stream.sendTrailers(withoutPseudo(this.#trailers)))
  }

  /** True when the answer is whole, and goes out later. */
  get isHeld(): boolean {
    return this.#isHeld
  }

  #begin(received: IncomingHttpHeaders, flags: number): void {
    const isEnd = (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0
    const { holdMs, isVerified } = readEdgeNotes(received)
    if (isVerified) this.#rooms.rememberVerified(this.#caller)
    if (holdMs > 0) return this.#takeIn(holdMs, received, isEnd)
    respond(this.#stream, received, isEnd)
    this.#upstream.pipe(this.#stream, { end: false })
  }

  #end(): void {
    // A stream that was cancelled ends too.
    if (this.#upstream.rstCode !== constants.NGHTTP2_NO_ERROR) return
    if (this.#sendLater) this.#sendLater()
    else if (this.#stream.headersSent) this.#stream.end()
  }

  /** The whole answer, so that it holds no connection. */
  #takeIn(holdMs: number, received: IncomingHttpHeaders, isEnd: boolean): void {
    const chunks: Buffer[] = []
    let bytes = 0
    this.#upstream.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      chunks.push(chunk)
      if (bytes > HELD_BYTES_MAX) this.#upstream.destroy(new Error('the answer is too long to be held'))
    })
    const send = (): void => {
      respond(this.#stream, received, isEnd)
      if (!isEnd && !isOver(this.#stream)) this.#stream.end(Buffer.concat(chunks))
    }
    this.#sendLater = () => {
      this.#isHeld = true
      this.#rooms.hold(this.#caller.network, holdMs, send)
    }
    this.#upstream.resume()
  }
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
