import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { writeProxyHeader } from '../../../test/harness/proxy-header.ts'
import { readFirstBytes, readProxyHeader } from './first-bytes.ts'
import { Front } from './front.ts'

const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'
const bytes = (text: string): Buffer => Buffer.from(text, 'latin1')

test.each([
  ['', undefined],
  ['P', undefined],
  ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r', undefined],
  [PREFACE, 'http2'],
  [`${PREFACE}more`, 'http2'],
  ['PO', 'http1'],
  ['PRI * HTTP/1.1\r\n', 'http1'],
  ['G', 'http1'],
  ['\0\x01garbage', 'http1'],
  ['\r\n\r\n\0\r\nQUIT', undefined],
  ['\r\n\r\n\0\r\nQUIT\n', 'proxy'],
  ['\r\nGET / HTTP/1.1', 'http1'],
])('a connection that begins with %j is %s', (text, announced) => {
  expect(readFirstBytes(bytes(text))).toBe(announced)
})

test('more bytes never change a detected protocol', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), fc.nat(40), (data, cut) => {
      const told = readFirstBytes(Buffer.from(data.subarray(0, cut)))
      return told === undefined || readFirstBytes(Buffer.from(data)) === told
    }),
  )
})

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8::1', '2001:db8:0:0:0:0:0:1'],
  ['::1', '0:0:0:0:0:0:0:1'],
  ['fe80::1%eth0', 'fe80:0:0:0:0:0:0:1'],
  ['64:ff9b::192.0.2.33', '64:ff9b:0:0:0:0:c000:221'],
  [undefined, undefined],
])('the address %s survives a PROXY header as %s', (address, read) => {
  const header = writeProxyHeader(address)
  expect(readProxyHeader(Buffer.concat([header, bytes('GET /')]))).toEqual({
    length: header.length,
    address: read,
  })
})

test('a cut header is incomplete at every length', () => {
  const header = writeProxyHeader('2001:db8::1')
  const outcomes = Array.from({ length: header.length - 12 }, (_, cut) =>
    readProxyHeader(header.subarray(0, 12 + cut)),
  )
  expect(new Set(outcomes)).toEqual(new Set(['incomplete']))
})

test.each([
  ['version 1', 12, 0x11],
  ['an unknown command', 12, 0x22],
  ['a Unix address', 13, 0x31],
  ['more than a kilobyte behind it', 14, 0xff],
])('%s is malformed', (_, offset, value) => {
  const header = writeProxyHeader('192.0.2.7')
  header.writeUInt8(value, offset)
  expect(readProxyHeader(header)).toBe('malformed')
})

describe('a PROXY header', () => {
  /** The address under which the first request arrives; `closed` when the connection ends instead. */
  async function addressOf(first: Buffer, isTrusted: boolean): Promise<string | undefined> {
    const arrived = Promise.withResolvers<string | undefined>()
    const front = new Front({
      http1: ({ socket, address }) => {
        arrived.resolve(address)
        socket.destroy()
      },
      http2: ({ socket }) => socket.destroy(),
      isTrustedPeer: () => isTrusted,
    })
    const socket = connect(await front.listen('127.0.0.1', 0), '127.0.0.1')
    socket.on('error', () => undefined)
    socket.once('close', () => arrived.resolve('closed'))
    await once(socket, 'connect')
    socket.write(Buffer.concat([first, bytes('GET / HTTP/1.1\r\nhost: h\r\n\r\n')]))
    const address = await arrived.promise
    socket.destroy()
    front.close()
    return address
  }

  const header = writeProxyHeader('192.0.2.7')

  test('of a trusted peer names the client', async () => {
    expect(await addressOf(header, true)).toBe('192.0.2.7')
  })

  test('of any other peer ends the connection', async () => {
    expect(await addressOf(header, false)).toBe('closed')
    expect(await addressOf(bytes(''), false)).toBe('127.0.0.1')
  })

  test('behind another one ends the connection', async () => {
    expect(await addressOf(Buffer.concat([header, header]), true)).toBe('closed')
  })
})

test('connections that were reset before they were accepted are handed to no server', async () => {
  const clients: Socket[] = []
  let taken = 0
  const front = new Front({
    http1: () => {
      taken++
      for (const client of clients) client.resetAndDestroy()
    },
    http2: () => undefined,
    isTrustedPeer: () => false,
  })
  const port = await front.listen('127.0.0.1', 0)
  for (let index = 0; index < 100; index++) {
    const client = connect(port, '127.0.0.1').on('error', () => undefined)
    client.write('GET /')
    clients.push(client)
  }
  await Promise.all(clients.map((client) => once(client, 'close')))
  await front.untilClosed(1000)
  expect(taken).toBeGreaterThan(0)
  expect(taken).toBeLessThan(50)
  front.close()
})
