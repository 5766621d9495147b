import { type AddressRanges, clientNetwork } from '../../kernel/address-ranges.ts'

/**
 * The network of a call, by which attempts are counted. The edge appends the peer's address to `x-forwarded-for`, so that
 * clients cannot forge it.
 */
export function nameClientNetwork(headers: Headers, trustedProxies: AddressRanges): string {
  return clientNetwork(headers.get('x-forwarded-for') ?? '', trustedProxies)
}
