import { STATUS_CODES } from 'node:http'
import { connect, type Socket } from 'node:net'
import { errorAnswer } from '../../rpc/answer.ts'
import { chooseRequestId } from '../../rpc/request-id.ts'
import { connectNotSupported, malformedRequest } from '../refusals.ts'
import type { ClientHandles } from './client-handles.ts'
import type { Connection } from './front.ts'
import { type Malformed, RequestFraming } from './request-framing.ts'

/** The listener for connections of HTTP/1.1. */
export interface BridgeOptions {
  /** The listener's Unix socket. */
  readonly path: string
  /** The handles by which the listener looks up the clients. */
  readonly handles: ClientHandles
  readonly errorDomain: string
}

/** Milliseconds in which a head must be complete; the listener has a deadline for the rest. */
const HEAD_TIMEOUT_MS = 10_000

/** Milliseconds to wait for the answer to the request before a malformed one. */
const LAST_ANSWER_MS = 10_000

const NO_BYTES = Buffer.alloc(0)

/** Milliseconds for which a refused client's further bytes are read: a reset would discard the answer. */
const LINGER_MS = 2000

/**
 * Forwards a connection to the HTTP/1.1 listener at a Unix socket, both ways, with backpressure. It begins with a handle of
 * the client. Requests with unambiguous framing pass; any other is answered here and ends the connection.
 */
export function bridgeTo({ path, handles, errorDomain }: BridgeOptions, connection: Connection): void {
  const { socket, address, use } = connection
  const handle = handles.add(address)
  const inner = connect({ path, allowHalfOpen: true })
  inner.write(handle.header)
  const framing = new RequestFraming()
  const close = (): void => {
    if (framing.malformed) answerMalformed(socket, framing.malformed, errorDomain)
    // The listener's last answer may still be on its way to the client.
    else socket.destroySoon()
  }
  inner.on('error', close)
  inner.once('close', close)
  socket.once('close', () => {
    handle.remove()
    inner.destroy()
  })
  relayRequests(connection, inner, framing)
  inner.on('data', () => {
    if (framing.isBetweenRequests) use.rest()
    if (framing.malformed) inner.end()
  })
  relay(inner, socket, () => {
    if (!framing.malformed) socket.end()
  })
}

/** Back-pressure in one direction; an end travels on, so that a client may close its half early. */
function relay(from: Socket, to: Socket, end: () => void): void {
  from.on('data', (chunk) => {
    if (!to.write(chunk)) from.pause()
  })
  to.on('drain', () => from.resume())
  from.on('end', end)
  from.resume()
}

/** As {@link relay}, for what {@link RequestFraming} lets through. */
function relayRequests({ socket: from, use }: Connection, to: Socket, framing: RequestFraming): void {
  let headTimer: NodeJS.Timeout | undefined
  let lastTimer: NodeJS.Timeout | undefined
  let isTurnDue = false
  const take = (chunk: Buffer): void => {
    if (framing.malformed || to.destroyed) return
    const { headCount } = framing
    const bytes = framing.push(chunk)
    if (framing.headCount > headCount) use.work()
    const isTaken = bytes.length === 0 || to.write(bytes)
    if (!isTaken || framing.hasMore) from.pause()
    if (isTaken && framing.hasMore) takeTurn()
    // Ending the connection discards unanswered requests of the listener: a complete request is answered first.
    if (framing.malformed) {
      const waitMs = framing.isBetweenRequests && use.isBusy ? LAST_ANSWER_MS : 0
      lastTimer = setTimeout(() => to.end(), waitMs)
    }
    if (framing.isInHead) headTimer ??= setTimeout(() => from.destroy(), HEAD_TIMEOUT_MS)
    else if (headTimer) headTimer = void clearTimeout(headTimer)
  }
  // Pipelined requests go on after other connections had their turn.
  const takeTurn = (): void => {
    if (isTurnDue) return
    isTurnDue = true
    setImmediate(() => {
      isTurnDue = false
      take(NO_BYTES)
      if (!framing.hasMore && !to.writableNeedDrain) from.resume()
    })
  }
  from.on('data', take)
  to.on('drain', () => {
    if (framing.hasMore) takeTurn()
    else from.resume()
  })
  from.on('end', () => {
    if (!framing.malformed) to.end()
  })
  from.once('close', () => {
    clearTimeout(headTimer)
    clearTimeout(lastTimer)
  })
  from.resume()
}

/** Answers after all earlier answers of the listener, and closes. */
function answerMalformed(socket: Socket, { status, message }: Malformed, domain: string): void {
  if (socket.writableEnded) return
  const requestId = chooseRequestId(undefined)
  const error = status === 501 ? connectNotSupported(message) : malformedRequest(message)
  const { headers, body } = errorAnswer(error, { requestId, domain }, status)
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  socket.end(body)
  socket.resume()
  const timer = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(timer))
}
