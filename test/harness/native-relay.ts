import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** How long a server may take to notice that its client is gone. */
const FAREWELL_MS = 30_000

/** A second address of a native port. */
export interface NativeRelay {
  readonly port: number
  /** Closes the address and every connection. */
  close(): Promise<void>
}

/**
 * Passes connections on to a native port, but for how they end: a client that breaks off closes the connection in peace. The
 * embedded engine ends itself when a connection is reset while no read is pending; a ClickHouse server does not.
 */
export async function startNativeRelay(nativePort: number): Promise<NativeRelay> {
  const open = new Set<Socket>()
  const remember = (socket: Socket): void => {
    open.add(socket)
    socket.setNoDelay(true)
    socket.on('error', () => undefined)
    socket.on('close', () => open.delete(socket))
  }
  const server = createServer((client) => {
    const engine = connect({ port: nativePort, host: '127.0.0.1' })
    for (const socket of [client, engine]) remember(socket)
    client.pipe(engine)
    engine.pipe(client)
    engine.on('close', () => client.destroy())
    client.on('close', () => leave(engine))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.close()
      for (const socket of open) socket.destroy()
      if (server.listening) await once(server, 'close')
    },
  }
}

/** Ends the sending side, and reads the rest of the input, because unread bytes would turn the close into a reset. */
function leave(engine: Socket): void {
  engine.end()
  engine.resume()
  engine.setTimeout(FAREWELL_MS, () => engine.destroy())
}
