import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { hasSystemTool } from '../../../test/harness/system-tool.ts'
import { waitFor } from '../../../test/harness/wait.ts'
import { makeCertificate } from '../../../test/protocols/child-server.ts'
import { ConnectionRoom } from './connection-room.ts'
import { Front } from './front.ts'

const CONNECTIONS_MAX = 20
const hasOpenssl = hasSystemTool('openssl', 'openssl')

describe.each(hasOpenssl ? ['plain', 'TLS'] : ['plain'])('a port with idle connections (%s)', (kind) => {
  let folder: string
  let front: Front
  let room: ConnectionRoom
  let port: number
  let sockets: Socket[]

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'millrace-room-'))
    room = new ConnectionRoom({ connectionsMax: CONNECTIONS_MAX, shareOf: () => CONNECTIONS_MAX })
    const { certPath, keyPath } = kind === 'TLS' ? makeCertificate(folder) : { certPath: '', keyPath: '' }
    front = new Front({
      http1: ({ socket, use }) => {
        use.work()
        socket.end('served')
      },
      http2: ({ socket }) => socket.destroy(),
      isTrustedPeer: () => false,
      room,
      ...(kind === 'TLS' ? { tls: { certPath, keyPath } } : {}),
    })
    port = await front.listen('127.0.0.1', 0)
    sockets = []
  })

  afterEach(() => {
    for (const socket of sockets) socket.destroy()
    front.close()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Opens connections that bring nothing, not even a handshake. */
  async function idle(count: number): Promise<void> {
    await Promise.all(
      Array.from({ length: count }, async () => {
        const socket = connect(port, '127.0.0.1')
        socket.on('error', () => undefined)
        sockets.push(socket)
        await once(socket, 'connect')
      }),
    )
  }

  async function ask(): Promise<string> {
    const socket =
      kind === 'TLS'
        ? connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false })
        : connect({ port, host: '127.0.0.1' })
    socket.on('error', () => undefined)
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.write('GET / HTTP/1.1\r\nhost: h\r\n\r\n')
    await once(socket, 'close')
    return text
  }

  test('has no more of them than its room, and serves others', async () => {
    await idle(5 * CONNECTIONS_MAX)
    await waitFor('the room to be full', () => (room.size === CONNECTIONS_MAX ? true : undefined))
    await waitFor('an answer', async () => ((await ask()) === 'served' ? true : undefined))
    expect(room.size).toBeLessThanOrEqual(CONNECTIONS_MAX)
  })

  test('has its room back when they are gone', async () => {
    await idle(CONNECTIONS_MAX)
    await waitFor('the room to be full', () => (room.size === CONNECTIONS_MAX ? true : undefined))
    for (const socket of sockets) socket.destroy()
    await vi.waitFor(() => expect(room.size).toBe(0))
    expect(await ask()).toBe('served')
  })
})
