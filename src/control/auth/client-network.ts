import { type AddressRanges, clientNetwork } from '../../kernel/address-ranges.ts'

/**
 * Names where a call comes from, to count attempts by. The edge adds the address that it sees to `x-forwarded-for`, so a
 * client cannot choose that one.
 */
export function nameClientNetwork(headers: Headers, trustedProxies: AddressRanges): string {
  return clientNetwork(headers.get('x-forwarded-for') ?? '', trustedProxies)
}
