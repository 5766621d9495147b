import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** One address in front of several. */
export interface RoundRobin {
  readonly url: string
  /** Closes the address and every connection. */
  close(): Promise<void>
}

/**
 * Listens on loopback and gives each connection to the next port, or to the one after when that refuses. Bytes pass as
 * they come, so that it is transparent to the protocol.
 */
export async function startRoundRobin(listPorts: () => readonly number[]): Promise<RoundRobin> {
  const open = new Set<Socket>()
  let turn = 0
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (client) => {
    const ports = listPorts()
    const first = turn++ % ports.length
    void join(client, [...ports.slice(first), ...ports.slice(0, first)], open)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.close()
      for (const socket of open) socket.destroy()
      if (server.listening) await once(server, 'close')
    },
  }
}

async function join(client: Socket, ports: readonly number[], open: Set<Socket>): Promise<void> {
  remember(client, open)
  client.on('error', () => undefined)
  for (const port of ports) {
    const upstream = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true })
    remember(upstream, open)
    if (!(await isConnected(upstream))) continue
    tie(client, upstream)
    tie(upstream, client)
    return
  }
  client.resetAndDestroy()
}

async function isConnected(upstream: Socket): Promise<boolean> {
  try {
    await once(upstream, 'connect')
    return true
  } catch {
    return false
  }
}

/** Copies bytes from one socket to the other, including its end and a reset. */
function tie(from: Socket, to: Socket): void {
  from.on('error', () => to.resetAndDestroy())
  from.on('close', () => {
    if (!to.writableEnded) to.destroy()
  })
  from.pipe(to)
}

function remember(socket: Socket, open: Set<Socket>): void {
  open.add(socket)
  socket.setNoDelay(true)
  socket.on('close', () => open.delete(socket))
}
