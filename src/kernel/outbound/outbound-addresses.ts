import { BlockList, isIP } from 'node:net'
import type { AddressRanges } from '../address-ranges.ts'

/** The non-public addresses that the operator allows. */
export type AllowedAddresses = Pick<AddressRanges, 'includes'>

/**
 * IPv4 ranges that are not on the public internet (IANA's special-purpose registry), and one public metadata address.
 */
const REFUSED_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // Azure's platform address, which serves secrets to virtual machines.
  '168.63.129.16/32',
] as const

/** Global unicast, and the two forms that embed an IPv4 address: IPv4-mapped, and NAT64 (RFC 6052). */
const PUBLIC_IPV6 = ['2000::/3', '::ffff:0:0/96', '64:ff9b::/96'] as const

/**
 * Non-public ranges within those: the IETF protocol range with Teredo and ORCHID, documentation, 6to4. Teredo and 6to4
 * embed an arbitrary IPv4 address, and no mail server or webhook has been reachable through them for years.
 */
const REFUSED_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'] as const

const IPV4_FORMS = ['::ffff:', '64:ff9b::'] as const
const IPV4_FORM_BITS = 96

const refused = new BlockList()
for (const [address, bits] of REFUSED_IPV4.map(splitRange)) {
  refused.addSubnet(address, bits, 'ipv4')
  for (const form of IPV4_FORMS) refused.addSubnet(`${form}${address}`, IPV4_FORM_BITS + bits, 'ipv6')
}
for (const [address, bits] of REFUSED_IPV6.map(splitRange)) refused.addSubnet(address, bits, 'ipv6')

const publicIpv6 = new BlockList()
for (const [address, bits] of PUBLIC_IPV6.map(splitRange)) publicIpv6.addSubnet(address, bits, 'ipv6')

/**
 * Whether a user-supplied destination address may be connected to: it is public, or the operator allows it. An
 * IPv4-mapped address counts as its IPv4 address; a NAT64 address is only allowed in its IPv6 form.
 */
export function mayConnectTo(address: string, allowed: AllowedAddresses): boolean {
  return isPublicAddress(address) || allowed.includes(address)
}

function isPublicAddress(address: string): boolean {
  const version = isIP(address)
  if (version === 4) return !refused.check(address, 'ipv4')
  // A zone refers to a link of this machine.
  if (version !== 6 || address.includes('%')) return false
  return publicIpv6.check(address, 'ipv6') && !refused.check(address, 'ipv6')
}

function splitRange(cidr: string): readonly [address: string, bits: number] {
  const [address = '', bits] = cidr.split('/')
  return [address, Number(bits)]
}
