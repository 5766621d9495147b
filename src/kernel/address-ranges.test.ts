import { expect, test } from 'vitest'
import { PRIVATE_CIDRS, parseAddressRanges } from './address-ranges.ts'

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
