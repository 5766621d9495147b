import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'

/** The greeting of a trap; no answer may repeat it. */
export const TRAP_WORDS = 'SECRET-BANNER-9f3a'

/** A server of this machine that no request may reach. It speaks as much SMTP as a client needs to continue. */
export interface Trap {
  readonly port: number
  /** All that came, connection by connection. */
  readonly caught: readonly string[]
  stop(): Promise<void>
}

/** Replies by command; anything else gets the last one. */
const REPLIES: readonly (readonly [command: RegExp, reply: string])[] = [
  [/^EHLO/i, `250-${TRAP_WORDS}\r\n250 AUTH PLAIN LOGIN\r\n`],
  [/^AUTH/i, `535 5.7.8 ${TRAP_WORDS}\r\n`],
  [/^QUIT/i, '221 bye\r\n'],
  [/^/, `554 5.7.1 ${TRAP_WORDS}\r\n`],
]

/** Sets a trap on an address of this machine. */
export async function setTrap(host = '127.0.0.1', port = 0): Promise<Trap> {
  const caught: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    const place = caught.push('') - 1
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy())
    socket.write(`220 ${TRAP_WORDS} ESMTP\r\n`)
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      caught[place] += chunk
      for (const line of chunk.split('\r\n').filter((text) => text !== ''))
        socket.write(REPLIES.find(([command]) => command.test(line))?.[1] ?? '')
    })
  })
  server.listen(port, host)
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('a TCP server has no port')
  return {
    port: address.port,
    caught,
    stop: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
