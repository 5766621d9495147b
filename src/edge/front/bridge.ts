import { connect, type Socket } from 'node:net'
import { errorAnswer } from '../../rpc/answer.ts'
import { chooseRequestId } from '../../rpc/request-id.ts'
import { connectNotSupported, malformedRequest } from '../refusals.ts'
import { AnswerFraming } from './answer-framing.ts'
import type { ClientHandle, ClientHandles } from './client-handles.ts'
import { encodeAnswer } from './encode-answer.ts'
import type { Connection } from './front.ts'
import type { Malformed, RequestFraming } from './request-framing.ts'

/** The listener for connections of HTTP/1.1. */
export interface BridgeOptions {
  /** The listener's Unix socket. */
  readonly path: string
  /** The handles by which the listener looks up the clients. */
  readonly handles: ClientHandles
  readonly errorDomain: string
}

/** The parts of a bridge. */
export interface BridgeParts extends BridgeOptions {
  readonly connection: Connection
  /** Follows the requests of the connection. */
  readonly framing: RequestFraming
  /** Requests of the connection that were not forwarded. */
  readonly headsBefore: number
  /** Called when the client has the answers to all forwarded requests. */
  readonly onIdle: () => void
}

/** Milliseconds in which a head must be complete; the listener has a deadline for the rest. */
export const HEAD_TIMEOUT_MS = 10_000

/** Milliseconds to wait for the answer to the request before a malformed one. */
const LAST_ANSWER_MS = 10_000

const NO_BYTES = Buffer.alloc(0)

/** Milliseconds for which a refused client's further bytes are read: a reset would discard the answer. */
const LINGER_MS = 2000

/**
 * Forwards requests of a connection to the HTTP/1.1 listener at a Unix socket, and the answers back, with backpressure. The
 * connection to the listener begins with a handle of the client. Requests with unambiguous framing pass; any other is answered
 * here and ends the connection.
 */
export class Bridge {
  readonly #parts: BridgeParts
  readonly #handle: ClientHandle
  readonly #inner: Socket
  readonly #answers = new AnswerFraming()
  #headTimer: NodeJS.Timeout | undefined
  #lastTimer: NodeJS.Timeout | undefined
  #isTurnDue = false
  #isDropped = false

  constructor(parts: BridgeParts) {
    const { connection, path, handles } = parts
    this.#parts = parts
    this.#handle = handles.add(connection.address)
    this.#inner = connect({ path, allowHalfOpen: true })
    this.#inner.write(this.#handle.header)
    this.#inner.on('error', this.#close)
    this.#inner.once('close', this.#close)
    this.#inner.on('data', (chunk) => this.#giveAnswer(chunk))
    this.#inner.on('drain', () => this.#goOn())
    this.#inner.on('end', () => {
      if (!this.#isDropped && !parts.framing.malformed) connection.socket.end()
    })
  }

  /** Takes bytes of the client. */
  take(chunk: Buffer): void {
    const { framing, connection } = this.#parts
    if (framing.malformed || this.#inner.destroyed) return
    const { headCount } = framing
    const passed = framing.push(chunk)
    if (framing.headCount > headCount) connection.use.work()
    this.pass(passed)
  }

  /** Takes bytes that {@link RequestFraming} let through. */
  pass(passed: Buffer): void {
    const { framing, connection } = this.#parts
    const { socket, use } = connection
    const isTaken = passed.length === 0 || this.#inner.write(passed)
    if (!isTaken || framing.hasMore) socket.pause()
    if (isTaken && framing.hasMore) this.#takeTurn()
    // Ending the connection discards unanswered requests of the listener: a complete request is answered first.
    if (framing.malformed) {
      const waitMs = framing.isBetweenRequests && use.isBusy ? LAST_ANSWER_MS : 0
      this.#lastTimer = setTimeout(() => this.#inner.end(), waitMs)
    }
    if (framing.isInHead) this.#headTimer ??= setTimeout(() => socket.destroy(), HEAD_TIMEOUT_MS)
    else this.#stopHeadTimer()
  }

  /** The client sends no more. */
  end(): void {
    if (!this.#parts.framing.malformed) this.#inner.end()
  }

  /** There is room for answers again. */
  drain(): void {
    this.#inner.resume()
  }

  /** Closes the connection to the listener, which has nothing more to do with the client. */
  drop(): void {
    this.#isDropped = true
    this.#stopHeadTimer()
    clearTimeout(this.#lastTimer)
    this.#handle.remove()
    this.#inner.destroy()
  }

  readonly #close = (): void => {
    if (this.#isDropped) return
    const { framing, connection, errorDomain } = this.#parts
    if (framing.malformed) answerMalformed(connection.socket, framing.malformed, errorDomain)
    // The listener's last answer may still be on its way to the client.
    else connection.socket.destroySoon()
  }

  #stopHeadTimer(): void {
    clearTimeout(this.#headTimer)
    this.#headTimer = undefined
  }

  #giveAnswer(chunk: Buffer): void {
    if (this.#isDropped) return
    const { framing, connection } = this.#parts
    const { socket, use } = connection
    if (framing.isBetweenRequests) use.rest()
    if (!socket.write(chunk)) this.#inner.pause()
    if (framing.malformed) return void this.#inner.end()
    if (framing.hasHeadRequest) return
    this.#answers.push(chunk)
    if (this.#isIdle) this.#parts.onIdle()
  }

  get #isIdle(): boolean {
    const { framing, headsBefore } = this.#parts
    return (
      this.#answers.count === framing.headCount - headsBefore &&
      framing.isBetweenRequests &&
      !framing.isInHead &&
      !framing.hasMore
    )
  }

  /** The listener has taken everything so far. */
  #goOn(): void {
    const { framing, connection } = this.#parts
    if (this.#isDropped) return
    if (framing.hasMore) this.#takeTurn()
    else connection.socket.resume()
  }

  /** Pipelined requests go on after other connections had their turn. */
  #takeTurn(): void {
    if (this.#isTurnDue) return
    this.#isTurnDue = true
    setImmediate(() => {
      this.#isTurnDue = false
      if (this.#isDropped) return
      this.take(NO_BYTES)
      if (!this.#parts.framing.hasMore && !this.#inner.writableNeedDrain)
        this.#parts.connection.socket.resume()
    })
  }
}

/** Answers after all earlier answers, and closes. */
export function answerMalformed(socket: Socket, { status, message }: Malformed, domain: string): void {
  if (socket.writableEnded) return
  const requestId = chooseRequestId(undefined)
  const error = status === 501 ? connectNotSupported(message) : malformedRequest(message)
  socket.end(encodeAnswer(errorAnswer(error, { requestId, domain }, status), true))
  socket.resume()
  const timer = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(timer))
}
