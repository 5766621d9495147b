import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net'
import { err, ok, type Result } from './result.ts'

/** Tests whether an address lies in any of a set of ranges. */
export interface AddressRanges {
  /** The ranges in CIDR notation, as configured. */
  readonly cidrs: readonly string[]
  /** False for text that is not an address. An IPv4-mapped IPv6 address counts as its IPv4 address. */
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

/** Parses ranges in CIDR notation; a bare address is a range of one. The error is the invalid text. */
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

/** An IPv6 subscriber controls every address within this prefix. */
const V6_GROUPS_KEPT = 4
const V6_GROUPS = 8

/**
 * Network key of an address, for counting: the /64 of an IPv6 address, an IPv4 address itself; any other text is its
 * own key.
 */
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
 * Client address of a request: the last address of `x-forwarded-for` that is not a trusted proxy, which is the first
 * that a client cannot forge.
 */
export function clientAddress(forwardedFor: string, trustedProxies: AddressRanges): string {
  const addresses = forwardedFor.split(',').map((address) => address.trim())
  return addresses.findLast((address) => !trustedProxies.includes(address)) ?? addresses[0] ?? ''
}

/** The network of {@link clientAddress}. */
export function clientNetwork(forwardedFor: string, trustedProxies: AddressRanges): string {
  return networkOf(clientAddress(forwardedFor, trustedProxies))
}
