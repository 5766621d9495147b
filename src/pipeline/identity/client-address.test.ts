import { SocketAddress } from 'node:net'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { propertyRuns } from '../../../test/harness/profile.ts'
import { PRIVATE_CIDRS, parseAddressRanges } from '../../kernel/address-ranges.ts'
import { canonicalAddress, resolveClientAddress } from './client-address.ts'

function ranges(...cidrs: readonly string[]) {
  const result = parseAddressRanges(cidrs)
  if (!result.ok) throw new Error(result.error)
  return result.value
}

const PRIVATE = ranges(...PRIVATE_CIDRS)

describe('the canonical address', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    [' 203.0.113.7\t', '203.0.113.7'],
    ['203.0.113.7:8080', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:CB00:7107', '203.0.113.7'],
    ['0:0:0:0:0:ffff:203.0.113.7', '203.0.113.7'],
    ['[::ffff:203.0.113.7]:443', '203.0.113.7'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['2001:0db8::0001', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['[fe80::1%25eth0]:80', 'fe80::1'],
    ['::', '::'],
    ['::1', '::1'],
    ['1:0:0:2:0:0:0:3', '1:0:0:2::3'],
  ])('of %j is %s', (text, expected) => {
    expect(canonicalAddress(text)).toBe(expected)
  })

  it.each([
    undefined,
    '',
    ' ',
    'unknown',
    '_hidden',
    '203.0.113',
    '203.0.113.256',
    '203.0.113.07',
    '203.0.113.7.8',
    '203.0.113.7:x',
    '0xcb007107',
    '203.0.113.7, 198.51.100.1',
    '2001:db8:::1',
    '[2001:db8::1',
    '2001:db8::1]:80',
    '%eth0',
    '203.0.113.7\0',
    '::1\0',
    'localhost',
    `${'0'.repeat(200)}::1`,
    'for=203.0.113.7',
  ])('of %j is none', (text) => {
    expect(canonicalAddress(text)).toBeUndefined()
  })

  it('is the same for all texts of an IPv6 address, and canonical itself', () => {
    const groups = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 0xffff })), {
      minLength: 8,
      maxLength: 8,
    })
    fc.assert(
      fc.property(groups, (numbers) => {
        const long = numbers.map((number) => number.toString(16).padStart(4, '0').toUpperCase()).join(':')
        const canonical = canonicalAddress(long) ?? ''
        const short = new SocketAddress({ address: long, family: 'ipv6' }).address
        expect(canonicalAddress(short)).toBe(canonical)
        expect(canonicalAddress(canonical)).toBe(canonical)
        expect(canonical).toMatch(/^[0-9a-f:.]+$/)
      }),
    )
  })

  it('never throws', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom(...'0123456789abcdef:.[]%, ') }),
    )
    fc.assert(
      fc.property(text, (value) => ['string', 'undefined'].includes(typeof canonicalAddress(value))),
      { numRuns: propertyRuns(2000) },
    )
  })
})

describe('the client’s address', () => {
  const all = {
    'cf-connecting-ip': '192.0.2.1',
    'true-client-ip': '192.0.2.2',
    'x-forwarded-for': '192.0.2.3, 10.0.0.9',
  }

  it.each<[string, string, Record<string, string>, string | undefined]>([
    ['Cloudflare’s header first', '10.0.0.1', all, '192.0.2.1'],
    ['then True-Client-IP', '10.0.0.1', { ...all, 'cf-connecting-ip': 'unknown' }, '192.0.2.2'],
    ['then the first of X-Forwarded-For', '::1', { 'x-forwarded-for': ' 192.0.2.3 , 10.0.0.9' }, '192.0.2.3'],
    ['then the peer', '127.0.0.1', {}, '127.0.0.1'],
    [
      'the peer when all headers are garbage',
      '10.0.0.1',
      { 'x-forwarded-for': 'unknown, 192.0.2.3', 'cf-connecting-ip': '' },
      '10.0.0.1',
    ],
    ['the peer when it is not trusted', '198.51.100.1', all, '198.51.100.1'],
    ['a mapped peer as IPv4', '::ffff:10.0.0.1', all, '192.0.2.1'],
    ['a mapped peer that is not trusted', '::ffff:198.51.100.1', all, '198.51.100.1'],
    ['a link-local peer with its zone', 'fe80::1%eth0', all, '192.0.2.1'],
    ['a forwarded private address as it is', '10.0.0.1', { 'x-forwarded-for': '192.168.1.5' }, '192.168.1.5'],
    ['none without a peer', '', all, undefined],
    ['none when the peer is garbage', 'unix:', all, undefined],
  ])('is %s', (_, peer, headers, expected) => {
    expect(resolveClientAddress({ peer, header: (name) => headers[name], trustedProxies: PRIVATE })).toBe(
      expected,
    )
  })

  it('is the peer without trusted proxies', () => {
    const header = () => '192.0.2.1'
    expect(resolveClientAddress({ peer: '127.0.0.1', header, trustedProxies: ranges() })).toBe('127.0.0.1')
  })

  it.each([
    '127.8.9.1',
    '10.255.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.0.1',
    '169.254.1.1',
    '::1',
    'fd00::1',
    'fe80::9',
  ])('comes from the headers of %s by default', (peer) => {
    expect(resolveClientAddress({ peer, header: () => '192.0.2.1', trustedProxies: PRIVATE })).toBe(
      '192.0.2.1',
    )
  })

  it.each(['172.15.0.1', '172.32.0.1', '11.0.0.1', '192.169.0.1', '2001:db8::1', '::2', 'fec0::1'])(
    'does not come from the headers of %s by default',
    (peer) => {
      expect(resolveClientAddress({ peer, header: () => '192.0.2.1', trustedProxies: PRIVATE })).toBe(peer)
    },
  )
})
