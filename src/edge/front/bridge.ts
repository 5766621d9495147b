import { connect, type Socket } from 'node:net'
import type { Connection } from './front.ts'
import { writeProxyHeader } from './proxy-protocol.ts'
import { mayBeUnfinishedRequestLine } from './request-line.ts'

/** A body that looks like the beginning of a request line waits this long, in milliseconds. */
const REQUEST_LINE_WAIT_MS = 100

/**
 * Passes a connection on to the HTTP/1.1 listener at a Unix socket, both ways, no faster than either side reads. A PROXY
 * header goes first, so that the listener knows the client.
 */
export function bridgeTo(path: string, { socket, address }: Connection): void {
  const inner = connect({ path, allowHalfOpen: true })
  inner.write(writeProxyHeader(address))
  // What the listener answered last may still be on its way to the client.
  const close = (): void => socket.destroySoon()
  inner.on('error', close)
  inner.once('close', close)
  socket.once('close', () => inner.destroy())
  relayRequests(socket, inner)
  relay(inner, socket)
}

/** Back-pressure in one direction; an end travels on, so that a client may close its half early. */
function relay(from: Socket, to: Socket): void {
  from.on('data', (chunk) => {
    if (!to.write(chunk)) from.pause()
  })
  to.on('drain', () => from.resume())
  from.on('end', () => to.end())
  from.resume()
}

/** As {@link relay}, and a request line goes out in one piece: uWebSockets.js refuses one that is cut before its end. */
function relayRequests(from: Socket, to: Socket): void {
  let held: Buffer | undefined
  let timer: NodeJS.Timeout | undefined
  const flush = (): void => {
    clearTimeout(timer)
    timer = undefined
    if (held && !to.write(held)) from.pause()
    held = undefined
  }
  from.on('data', (chunk: Buffer) => {
    const bytes = held === undefined ? chunk : Buffer.concat([held, chunk])
    held = bytes
    if (!mayBeUnfinishedRequestLine(bytes)) return flush()
    timer ??= setTimeout(flush, REQUEST_LINE_WAIT_MS)
  })
  to.on('drain', () => from.resume())
  from.on('end', () => {
    flush()
    to.end()
  })
  from.once('close', () => clearTimeout(timer))
  from.resume()
}
