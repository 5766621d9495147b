import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { rangesOf } from '../../../test/harness/loopback.ts'
import { freePort } from '../../../test/harness/wait.ts'
import { Outbound, type ResolveHost } from './outbound.ts'

const NO_SIGNAL = new AbortController().signal

/** Servers on one port of two local addresses, each with its accepted connections. */
const ADDRESSES = ['127.0.0.1', '127.0.0.2'] as const
let servers: Server[]
let came: Record<string, Socket[]>
let port: number

beforeEach(async () => {
  servers = []
  came = {}
  port = await freePort()
  for (const address of ADDRESSES) {
    const sockets: Socket[] = []
    came[address] = sockets
    const server = createServer((socket) => sockets.push(socket.on('error', () => undefined)))
    servers.push(server.listen(port, address))
    await once(server, 'listening')
  }
})

afterEach(async () => {
  for (const socket of Object.values(came).flat()) socket.destroy()
  await Promise.all(servers.map((server) => once(server.close(), 'close')))
})

const counts = () => ADDRESSES.map((address) => came[address]?.length)

async function dial(resolve: ResolveHost, allowed = '127.0.0.1', signal = NO_SIGNAL): Promise<string> {
  const outbound = new Outbound({ allowed: rangesOf(allowed), resolve })
  const socket = await outbound.dial({ host: 'host.test', port }, signal)
  socket.destroy()
  return socket.remoteAddress ?? ''
}

test('a name is resolved once, and the connection goes to the checked address', async () => {
  const answers = [['127.0.0.1'], ['127.0.0.2']]
  const asked: string[] = []
  const resolve: ResolveHost = async (host) => {
    asked.push(host)
    return answers.shift() ?? []
  }
  const outbound = new Outbound({ allowed: rangesOf('127.0.0.1'), resolve })
  const socket = await outbound.dial({ host: 'rebinding.test', port }, NO_SIGNAL)
  socket.destroy()
  expect(asked).toEqual(['rebinding.test'])
  await expect(outbound.dial({ host: 'rebinding.test', port }, NO_SIGNAL)).rejects.toMatchObject({
    failure: 'refused-address',
  })
  expect(counts()).toEqual([1, 0])
})

test('only allowed addresses of a host are tried', async () => {
  await dial(async () => ['127.0.0.2', '10.0.0.1', '::ffff:127.0.0.2', '127.0.0.1'])
  expect(counts()).toEqual([1, 0])
})

test('the next address is tried when one does not respond', async () => {
  await dial(async () => ['127.0.0.3', '127.0.0.1'], '127.0.0.0/8')
  expect(counts()).toEqual([1, 0])
})

test.each([['127.0.0.2'], ['::ffff:127.0.0.2'], ['::1'], ['0.0.0.0']])(
  'a name that resolves only to %s is rejected before connecting',
  async (address) => {
    await expect(dial(async () => [address])).rejects.toMatchObject({ failure: 'refused-address' })
    expect(counts()).toEqual([0, 0])
  },
)

test.each(['127.0.0.2', '::ffff:7f00:2', '127.2', '2130706434', '0x7f.2', 'localhost'])(
  'the host %s is rejected',
  async (host) => {
    const outbound = new Outbound({ allowed: rangesOf('127.0.0.3') })
    const dialled = outbound.dial({ host, port }, NO_SIGNAL)
    await expect(dialled).rejects.toMatchObject({ name: 'OutboundError' })
    expect(counts()).toEqual([0, 0])
  },
)

test.each([
  ['has no address', async () => [], 'no-address'],
  ['cannot be resolved', async () => Promise.reject(new Error('no')), 'no-address'],
  ['has no listener', async () => ['127.0.0.3'], 'unreachable'],
] as const)('a name that %s has its own error', async (_, resolve, failure) => {
  await expect(dial(resolve, '127.0.0.0/8')).rejects.toMatchObject({ failure })
})

test('an unresponsive name server times out at the deadline', async () => {
  const hangs = new Promise<never>(() => undefined)
  await expect(dial(() => hangs, '127.0.0.1', AbortSignal.timeout(50))).rejects.toMatchObject({
    failure: 'timeout',
  })
  await expect(dial(() => hangs, '127.0.0.1', AbortSignal.abort())).rejects.toMatchObject({
    failure: 'timeout',
  })
})

test('hanging lookups are limited', async () => {
  const outbound = new Outbound({
    allowed: rangesOf('127.0.0.1'),
    resolve: async (host) => (host === 'good.test' ? ['127.0.0.1'] : new Promise<never>(() => undefined)),
  })
  const late = () => outbound.dial({ host: 'late.test', port }, AbortSignal.timeout(20))
  await Promise.allSettled(Array.from({ length: 64 }, late))
  await expect(outbound.dial({ host: 'good.test', port }, NO_SIGNAL)).rejects.toMatchObject({
    code: 'lookups',
  })
})

test('a peer that does not complete the handshake times out; one that hangs up fails at once', async () => {
  const outbound = new Outbound({ allowed: rangesOf('127.0.0.0/8') })
  const silent = outbound.dialTls({ host: '127.0.0.1', port }, AbortSignal.timeout(50))
  await expect(silent).rejects.toMatchObject({ failure: 'timeout' })
  const closing = createServer((socket) => socket.destroy())
  servers.push(closing.listen(0, '127.0.0.1'))
  await once(closing, 'listening')
  const target = { host: '127.0.0.1', port: (closing.address() as AddressInfo).port }
  await expect(outbound.dialTls(target, NO_SIGNAL)).rejects.toMatchObject({ failure: 'tls' })
})
