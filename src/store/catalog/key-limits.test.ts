import { expect, test } from 'vitest'
import { findLimitRefusal, parseLimits } from './key-limits.ts'

const NOW_MS = 1000

function refuse(
  { expires_ms = null, allowed_addresses = '' }: { expires_ms?: number | null; allowed_addresses?: string },
  address = '192.0.2.1',
): string | undefined {
  const limits = parseLimits({ expires_ms, allowed_addresses })
  return limits && findLimitRefusal(limits, { nowMs: NOW_MS, readAddress: () => address })?.reason
}

test('a key without limits has none to check', () => {
  expect(parseLimits({ expires_ms: null, allowed_addresses: '' })).toBeUndefined()
})

test.each([
  [NOW_MS - 1, 'API_KEY_EXPIRED'],
  [NOW_MS, 'API_KEY_EXPIRED'],
  [NOW_MS + 1, undefined],
])('at 1000, a key that expires at %d: %s', (expires_ms, reason) => {
  expect(refuse({ expires_ms })).toBe(reason)
})

const LIST = '203.0.113.0/24 198.51.100.7 2001:db8::/32'

test.each(['203.0.113.9', '198.51.100.7', '2001:db8:5::1', '2001:DB8::1', '::ffff:203.0.113.9'])(
  '%s is on the list',
  (address) => {
    expect(refuse({ allowed_addresses: LIST }, address)).toBeUndefined()
  },
)

test.each([
  '198.51.100.8',
  '203.0.114.1',
  '2001:db9::1',
  '::1',
  '',
  'unknown',
  '203.0.113.9:443',
  '203.0.113.9, 10.0.0.1',
])('%j is not on the list', (address) => {
  expect(refuse({ allowed_addresses: LIST }, address)).toBe('ADDRESS_NOT_ALLOWED')
})

test('a list that cannot be read allows no address', () => {
  expect(refuse({ allowed_addresses: 'garbage' })).toBe('ADDRESS_NOT_ALLOWED')
})
