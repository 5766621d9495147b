import { ServiceError } from '../../contract/service-error.ts'
import { type AddressRanges, parseAddressRanges } from '../../kernel/address-ranges.ts'
import { tokenExpired } from './token-refusals.ts'

/** The bounds of the use of a key, or of a personal access token. */
export interface KeyLimits {
  readonly of: 'key' | 'token'
  /** The end of its use; `undefined` for a key that works until it is revoked. */
  readonly expiresMs: number | undefined
  /** The addresses from which it works; `undefined` for every address. */
  readonly addresses: AddressRanges | undefined
}

/** A call with a key. */
export interface KeyUse {
  readonly nowMs: number
  /** The address of the client, which only some keys need. */
  readonly readAddress: () => string
}

/** The limits in the columns of a key; `undefined` for a key without any, which ingestion need not check. */
export function parseLimits(columns: {
  readonly expires_ms: number | null
  readonly allowed_addresses: string
}): KeyLimits | undefined {
  const { expires_ms: expiresMs, allowed_addresses: allowed } = columns
  if (expiresMs === null && allowed === '') return undefined
  const addresses = allowed === '' ? undefined : parseStored(allowed)
  return { of: 'key', expiresMs: expiresMs ?? undefined, addresses }
}

/** The refusal of a use beyond the limits: `unauthenticated` or `permission_denied`. */
export function findLimitRefusal(limits: KeyLimits, use: KeyUse): ServiceError | undefined {
  if (limits.expiresMs !== undefined && use.nowMs >= limits.expiresMs) return EXPIRED[limits.of]()
  if (!limits.addresses) return undefined
  const address = use.readAddress()
  return limits.addresses.includes(address) ? undefined : addressNotAllowed(address)
}

/** Lists in the catalog were checked before they were stored: a list that cannot be read allows no address. */
function parseStored(allowed: string): AddressRanges {
  const ranges = parseAddressRanges(allowed.split(' '))
  return ranges.ok ? ranges.value : { cidrs: [], includes: () => false }
}

const EXPIRED = { key: keyExpired, token: tokenExpired } as const satisfies Record<
  KeyLimits['of'],
  () => ServiceError
>

function keyExpired(): ServiceError {
  return new ServiceError({
    code: 'unauthenticated',
    reason: 'API_KEY_EXPIRED',
    message: 'the API key has expired; use a newer one',
  })
}

function addressNotAllowed(address: string): ServiceError {
  const from = address === '' ? 'this address' : `the address ${address}`
  return new ServiceError({
    code: 'permission_denied',
    reason: 'ADDRESS_NOT_ALLOWED',
    message: `the API key does not work from ${from}; an admin of the organisation can allow it`,
  })
}
