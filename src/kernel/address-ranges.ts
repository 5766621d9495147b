import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net'
import { err, ok, type Result } from './result.ts'

/** Tells whether an address lies in one of some ranges. */
export interface AddressRanges {
  /** The ranges in CIDR notation, as they were given. */
  readonly cidrs: readonly string[]
  /** False for what is no address. An IPv4 address mapped into IPv6 is the IPv4 address. */
  includes(address: string): boolean
}

/** Loopback, private and link-local ranges (RFC 1918, RFC 4193, RFC 3927, RFC 4291). */
export const PRIVATE_CIDRS: readonly string[] = [
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  '::1/128',
  'fc00::/7',
  'fe80::/10',
]

/** Reads ranges in CIDR notation; a bare address is a range of one. The error is the text that is no range. */
export function parseAddressRanges(cidrs: readonly string[]): Result<AddressRanges, string> {
  const list = new BlockList()
  for (const cidr of cidrs) {
    const [address = '', bits] = cidr.split('/')
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6'
    const bitsMax = family === 'ipv4' ? 32 : 128
    const prefix = bits === undefined ? bitsMax : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN
    if (isIP(address) === 0 || !(prefix <= bitsMax)) return err(cidr)
    list.addSubnet(address, prefix, family)
  }
  return ok({ cidrs, includes: (address) => includes(list, address) })
}

function includes(list: BlockList, address: string): boolean {
  const mapped = address.startsWith('::ffff:') ? address.slice(7) : address
  if (isIPv4(mapped)) return list.check(mapped, 'ipv4')
  const [withoutZone = ''] = address.split('%')
  return isIP(withoutZone) === 6 && list.check(withoutZone, 'ipv6')
}

/** One customer of a network has as many addresses as they like within this prefix. */
const V6_GROUPS_KEPT = 4
const V6_GROUPS = 8

/** Names the network of an address, to count by: a /64 of IPv6, an address of IPv4; what is no address names itself. */
export function networkOf(address: string): string {
  return isIPv6(address) && !address.startsWith('::ffff:') ? cutV6(address) : address.slice(0, 64)
}

function cutV6(address: string): string {
  const [withoutZone = ''] = address.split('%')
  const [head = '', tail] = withoutZone.toLowerCase().split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: Math.max(0, V6_GROUPS - before.length - after.length) }, () => '0')
  return [...before, ...zeros, ...after]
    .slice(0, V6_GROUPS_KEPT)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}

/**
 * Names where a call comes from: the last address of `x-forwarded-for` that is not one of our own proxies, which is the
 * first that a client cannot choose.
 */
export function clientNetwork(forwardedFor: string, trustedProxies: AddressRanges): string {
  const addresses = forwardedFor.split(',').map((address) => address.trim())
  return networkOf(addresses.findLast((address) => !trustedProxies.includes(address)) ?? addresses[0] ?? '')
}
