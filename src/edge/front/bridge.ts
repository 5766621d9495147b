import { connect, type Socket } from 'node:net'
import type { Connection } from './front.ts'
import { writeProxyHeader } from './proxy-protocol.ts'

/**
 * Passes a connection on to the HTTP/1.1 listener at a Unix socket, both ways, no faster than either side reads. A PROXY
 * header goes first, so that the listener knows the client.
 */
export function bridgeTo(path: string, { socket, address }: Connection): void {
  const inner = connect({ path, allowHalfOpen: true })
  inner.write(writeProxyHeader(address))
  const close = (): void => {
    socket.destroy()
    inner.destroy()
  }
  inner.on('error', close)
  inner.once('close', close)
  socket.once('close', () => inner.destroy())
  relay(socket, inner)
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
