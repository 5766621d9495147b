import { expect, test } from 'vitest'
import { parseAddressRanges } from '../kernel/address-ranges.ts'
import { ClientFactsReader } from './client-facts.ts'

const ranges = parseAddressRanges(['10.0.0.0/8'])
if (!ranges.ok) throw new Error('invalid ranges')
const reader = new ClientFactsReader(ranges.value)

const SENT: Readonly<Record<string, string>> = {
  'user-agent': 'test',
  'x-forwarded-for': '203.0.113.9',
  'cf-connecting-ip': '203.0.113.9',
  'cf-ipcountry': 'NZ',
  'cf-bot-score': '1',
}

const headOf = (peer: string, headers = SENT) => ({ peer, header: (name: string) => headers[name] })

test('the address and the location headers of a trusted proxy count', () => {
  const { address, headers } = reader.read(headOf('10.0.0.1'), { address: true })
  expect(address).toBe('203.0.113.9')
  expect(headers).toBeDefined()
})

test.each([true, false])('those of any other peer count for nothing (address needed: %s)', (address) => {
  expect(reader.read(headOf('192.0.2.1'), { address })).toEqual({
    address: '192.0.2.1',
    userAgent: 'test',
    headers: undefined,
  })
})

test('those of a peer without an address count for nothing', () => {
  expect(reader.read(headOf('somewhere'), { address: true })).toMatchObject({ headers: undefined })
})

test('the network is that of the client behind a trusted proxy, and of the peer otherwise', () => {
  const networks = ['10.0.0.1', '192.0.2.1'].map((peer) => reader.network(headOf(peer)))
  expect(networks).toEqual(['203.0.113.9', '192.0.2.1'])
})
