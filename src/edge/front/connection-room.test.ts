import { Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { parseAddressRanges } from '../../kernel/address-ranges.ts'
import { connectionsMaxOf, roomOptions } from './connection-limits.ts'
import { ConnectionRoom, type ConnectionUse } from './connection-room.ts'

const MINUTE_MS = 60_000
let nowMs: number

beforeEach(() => {
  nowMs = 1_000_000
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs)
})

afterEach(() => vi.restoreAllMocks())

function socketOf(remoteAddress: string): Socket {
  return Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress })
}

function fill(room: ConnectionRoom, address: (index: number) => string, count: number): ConnectionUse[] {
  return Array.from({ length: count }, (_, index) => room.enter(socketOf(address(index)))).filter(
    (use) => !!use,
  )
}

const isOpen = ({ socket }: ConnectionUse): boolean => !socket.destroyed

describe('a full room', () => {
  test('closes no connection while all are new or busy', () => {
    const room = new ConnectionRoom({ connectionsMax: 4, shareOf: () => 4 })
    const uses = fill(room, (index) => `192.0.2.${index}`, 4)
    expect(room.enter(socketOf('198.51.100.1'))).toBeUndefined()
    for (const use of uses) use.work()
    nowMs += MINUTE_MS
    expect(room.enter(socketOf('198.51.100.1'))).toBeUndefined()
    expect(uses.filter(isOpen)).toHaveLength(4)
  })

  test('closes unused connections before used ones, the oldest first', () => {
    const room = new ConnectionRoom({ connectionsMax: 3, shareOf: () => 3 })
    const [served, ...others] = fill(room, () => '192.0.2.1', 3)
    served?.work()
    served?.rest()
    nowMs += MINUTE_MS
    for (const expected of [
      [false, true],
      [false, false],
    ]) {
      expect(room.enter(socketOf('198.51.100.1'))).toBeDefined()
      expect(others.map(isOpen)).toEqual(expected)
    }
    expect(served && isOpen(served)).toBe(true)
  })

  test('closes connections of the peer with the most', () => {
    const room = new ConnectionRoom({ connectionsMax: 5, shareOf: () => 5 })
    const few = fill(room, (index) => `192.0.2.${index}`, 2)
    const many = fill(room, () => '198.51.100.1', 3)
    nowMs += MINUTE_MS
    expect(room.enter(socketOf('203.0.113.1'))).toBeDefined()
    expect([few.filter(isOpen).length, many.filter(isOpen).length]).toEqual([2, 2])
  })

  test('has room again when a connection closes', async () => {
    const room = new ConnectionRoom({ connectionsMax: 1, shareOf: () => 1 })
    const [use] = fill(room, () => '192.0.2.1', 1)
    use?.socket.destroy()
    await vi.waitFor(() => expect(room.size).toBe(0))
    expect(room.enter(socketOf('192.0.2.1'))).toBeDefined()
  })

  test('keeps a connection with one of several requests open', () => {
    const room = new ConnectionRoom({ connectionsMax: 1, shareOf: () => 1 })
    const [use] = fill(room, () => '192.0.2.1', 1)
    use?.begin()
    use?.begin()
    use?.end()
    nowMs += MINUTE_MS
    expect(room.enter(socketOf('192.0.2.2'))).toBeUndefined()
    use?.end()
    nowMs += MINUTE_MS
    expect(room.enter(socketOf('192.0.2.2'))).toBeDefined()
  })
})

describe('one peer', () => {
  test.each([
    ['an address', () => '192.0.2.1'],
    ['addresses of one IPv6 network', (index: number) => `2001:db8:0:1::${index + 1}`],
  ])('has its share and no more: %s', (_, address) => {
    const room = new ConnectionRoom({ connectionsMax: 100, shareOf: () => 10 })
    expect(fill(room, address, 50)).toHaveLength(10)
    expect(fill(room, (index) => `198.51.100.${index}`, 50)).toHaveLength(50)
    expect(fill(room, (index) => `2001:db8:0:2::${index + 1}`, 5)).toHaveLength(5)
  })

  test('over its share loses its own idle connections', () => {
    const room = new ConnectionRoom({ connectionsMax: 100, shareOf: () => 10 })
    const other = fill(room, () => '192.0.2.2', 5)
    const uses = fill(room, () => '192.0.2.1', 10)
    nowMs += MINUTE_MS
    expect(room.enter(socketOf('192.0.2.1'))).toBeDefined()
    expect([other.filter(isOpen).length, uses.filter(isOpen).length]).toEqual([5, 9])
  })
})

describe('a connection whose proxy names the client', () => {
  test('counts for the client and not for the proxy', () => {
    const room = new ConnectionRoom({ connectionsMax: 100, shareOf: () => 10 })
    const attributed = Array.from({ length: 30 }, (_, index) => {
      const [use] = fill(room, () => '10.0.0.1', 1)
      return use !== undefined && room.attribute(use, `192.0.2.${index % 2}`)
    })
    expect(attributed.filter(Boolean)).toHaveLength(20)
  })
})

describe('descriptors', () => {
  test.each([
    ['on' as const, 1024, 170],
    ['off' as const, 1024, 512],
    [{ port: 3001 }, 1024, 256],
    ['on' as const, 256, 42],
    ['on' as const, 1_048_576, 32_768],
  ])(
    'with SERVICE_HTTP2=%j and %d of them there is room for %d connections',
    (http2, openFiles, expected) => {
      expect(connectionsMaxOf(http2, openFiles)).toBe(expected)
    },
  )

  test('a trusted proxy may have more than another peer', () => {
    const proxies = parseAddressRanges(['10.0.0.0/8'])
    if (!proxies.ok) throw new Error(proxies.error)
    const { shareOf } = roomOptions(1000, proxies.value)
    expect([shareOf('10.0.0.1'), shareOf('::ffff:10.0.0.1'), shareOf('192.0.2.1')]).toEqual([875, 875, 250])
  })
})
