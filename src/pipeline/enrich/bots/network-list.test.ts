import { BlockList } from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { propertyRuns } from '../../../../test/harness/profile.ts'
import { buildNetworkList } from './network-list.ts'

function includes(cidrs: readonly string[], address: string): boolean {
  const list = buildNetworkList(cidrs)
  if (!list.ok) throw new Error(list.error)
  return list.value.includes(address)
}

test.each([
  [['192.0.2.0/24'], '192.0.2.255', true],
  [['192.0.2.0/24'], '192.0.3.0', false],
  [['192.0.2.77/24'], '192.0.2.1', true],
  [['192.0.2.7'], '192.0.2.7', true],
  [['192.0.2.7'], '192.0.2.8', false],
  [['0.0.0.0/0'], '255.255.255.255', true],
  [['0.0.0.0/0'], '2001:db8::1', false],
  [['2001:db8::/32'], '2001:db8:ffff::1', true],
  [['2001:db8::/32'], '2001:db9::1', false],
  [['2001:DB8:0:0:0:0:0:1'], '2001:db8::1', true],
  [['::/0'], '192.0.2.1', false],
  [['::ffff:192.0.2.7'], '192.0.2.7', true],
  [['192.0.2.7'], '::ffff:192.0.2.7', true],
  [['64:ff9b::192.0.2.0/120'], '64:ff9b::c000:2ff', true],
  [[], '192.0.2.7', false],
  [['192.0.2.0/24'], 'nothing', false],
])('%j includes %s: %j', (cidrs, address, isIncluded) => {
  expect(includes(cidrs, address)).toBe(isIncluded)
})

test.each([
  '',
  'x',
  '192.0.2.0/33',
  '192.0.2.0/',
  '192.0.2.0/a',
  '192.0.2.0/8/8',
  '::1/129',
  'fe80::1%eth0',
  '1.2.3',
])('%j is not a range', (cidr) => {
  expect(buildNetworkList(['192.0.2.0/24', cidr])).toEqual({ ok: false, error: cidr })
})

test('it finds the same addresses as the list of Node.js', () => {
  // Few different bits, so that addresses often lie in the ranges.
  const v4 = fc
    .tuple(fc.constantFrom(10, 11), fc.constantFrom(0, 128), fc.nat(3), fc.nat(3))
    .map((parts) => parts.join('.'))
  const v6 = fc
    .tuple(fc.constantFrom('2001:db8', '2001:db9'), fc.constantFrom(':', ':8000:'), fc.nat(3))
    .map(([head, middle, tail]) => `${head}${middle}:${tail}`)
  const ranges = fc.array(
    fc.oneof(fc.tuple(v4, fc.integer({ min: 0, max: 32 })), fc.tuple(v6, fc.integer({ min: 0, max: 128 }))),
    { maxLength: 6 },
  )
  const check = fc.property(ranges, fc.oneof(v4, v6), (nets, address) => {
    const twin = new BlockList()
    // To Node.js every IPv4 address lies in ::/0.
    const alike = nets.filter(([net]) => net.includes(':') === address.includes(':'))
    for (const [net, bits] of alike) twin.addSubnet(net, bits, net.includes(':') ? 'ipv6' : 'ipv4')
    const cidrs = nets.map(([net, bits]) => `${net}/${bits}`)
    expect(includes(cidrs, address)).toBe(twin.check(address, address.includes(':') ? 'ipv6' : 'ipv4'))
  })
  fc.assert(check, { numRuns: propertyRuns(2000) })
})
