import { isIPv6 } from 'node:net'
import type { AddressRanges } from '../../kernel/address-ranges.ts'

/** One customer of a network has as many addresses as they like within this prefix. */
const V6_GROUPS_KEPT = 4
const V6_GROUPS = 8

/**
 * Names where a call comes from, to count attempts by: the last address of `x-forwarded-for` that is not one of our own
 * proxies, cut to its /64 when it is IPv6. The edge adds the address that it sees, so a client cannot choose that one.
 */
export function nameClientNetwork(headers: Headers, trustedProxies: AddressRanges): string {
  const addresses = (headers.get('x-forwarded-for') ?? '').split(',').map((address) => address.trim())
  const client = addresses.findLast((address) => !trustedProxies.includes(address)) ?? addresses[0] ?? ''
  return isIPv6(client) && !client.startsWith('::ffff:') ? cutV6(client) : client.slice(0, 64)
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
