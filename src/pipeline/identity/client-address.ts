import { isIPv4, isIPv6, SocketAddress } from 'node:net'
import type { AddressRanges } from '../../kernel/address-ranges.ts'

/** The sources of the client's address. */
export interface AddressSources {
  /** The peer address of the socket; may be empty. */
  readonly peer: string
  /** The value of a header by its lower-case name. */
  readonly header: (name: string) => string | undefined
  /** Peers whose forwarding headers are trusted. */
  readonly trustedProxies: AddressRanges
}

/** Longer than any address with brackets, zone and port. */
const ADDRESS_CHARACTERS_MAX = 128
const BRACKETED = /^\[([^\]]+)\](?::\d{1,5})?$/
const V4_WITH_PORT = /^(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}$/
const MAPPED_PREFIX = '::ffff:'

/**
 * The client's address in canonical form (docs/adr/0010); `undefined` when there is none, so that no identity can be derived.
 * A header without an address, such as `unknown`, is skipped for the next source: rejecting the request would turn a
 * proxy's mistake into lost events.
 */
export function resolveClientAddress({ peer, header, trustedProxies }: AddressSources): string | undefined {
  const peerAddress = canonicalAddress(peer)
  if (peerAddress === undefined || !trustedProxies.includes(peerAddress)) return peerAddress
  return (
    canonicalAddress(header('cf-connecting-ip')) ??
    canonicalAddress(header('true-client-ip')) ??
    canonicalAddress(firstOf(header('x-forwarded-for'))) ??
    peerAddress
  )
}

/**
 * The canonical text of an address: zone stripped, IPv4-mapped IPv6 unmapped, IPv6 lower-case and compressed. Also parses the
 * `[v6]:port` and `v4:port` of proxies; `undefined` for everything else.
 */
export function canonicalAddress(text: string | undefined): string | undefined {
  if (text === undefined || text.length > ADDRESS_CHARACTERS_MAX) return undefined
  const trimmed = text.trim()
  if (isIPv4(trimmed)) return trimmed
  // Dual-stack sockets report IPv4 peers in this form.
  const mapped = trimmed.startsWith(MAPPED_PREFIX) ? trimmed.slice(MAPPED_PREFIX.length) : ''
  if (isIPv4(mapped)) return mapped
  const bare = BRACKETED.exec(trimmed)?.[1] ?? V4_WITH_PORT.exec(trimmed)?.[1] ?? trimmed
  if (isIPv4(bare)) return bare
  const zoneAt = bare.indexOf('%')
  return canonicalV6(zoneAt === -1 ? bare : bare.slice(0, zoneAt))
}

function canonicalV6(text: string): string | undefined {
  if (!isIPv6(text)) return undefined
  const { address } = new SocketAddress({ address: text, family: 'ipv6' })
  const mapped = address.startsWith(MAPPED_PREFIX) ? address.slice(MAPPED_PREFIX.length) : ''
  return isIPv4(mapped) ? mapped : address
}

function firstOf(list: string | undefined): string | undefined {
  const comma = list?.indexOf(',') ?? -1
  return comma === -1 ? list : list?.slice(0, comma)
}
