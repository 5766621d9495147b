import { expect, test } from 'vitest'
import { clientNetwork, PRIVATE_CIDRS, parseAddressRanges } from './address-ranges.ts'

const privates = parseAddressRanges(PRIVATE_CIDRS)

test.each([
  ['127.0.0.1', true],
  ['10.255.0.1', true],
  ['172.32.0.1', false],
  ['::1', true],
  ['0000:0000:0000:0000:0000:0000:0000:0001', true],
  ['::ffff:192.168.1.1', true],
  ['::ffff:8.8.8.8', false],
  ['fe80::1%eth0', true],
  ['2001:db8::1', false],
  ['not an address', false],
  ['', false],
])('%s is private: %s', (address, expected) => {
  expect(privates.ok && privates.value.includes(address)).toBe(expected)
})

test.each([
  '10.0.0.0/33',
  '::/129',
  'host',
  '10.0.0.0/',
  '1.2.3/8',
  '',
  '10.0.0.0/8/8'.replace('/8/8', '/x'),
])('%j is not a range', (cidr) => {
  expect(parseAddressRanges([cidr])).toEqual({ ok: false, error: cidr })
})

test('an empty set of ranges includes nothing', () => {
  const none = parseAddressRanges([])
  expect(none.ok && none.value.includes('127.0.0.1')).toBe(false)
})

test.each([
  ['what a client adds before its own address', '198.51.100.1, 203.0.113.7', '203.0.113.7'],
  ['trusted proxies behind the client', '203.0.113.7, 10.0.0.1, 127.0.0.1', '203.0.113.7'],
  ['a chain of trusted proxies only', '10.0.0.2, 10.0.0.1', '10.0.0.2'],
  ['an IPv6 client', '2001:db8:1:2:3::4', '2001:db8:1:2'],
])('the network of a request ignores all but the client: %s', (_title, forwardedFor, network) => {
  expect(privates.ok && clientNetwork(forwardedFor, privates.value)).toBe(network)
})
