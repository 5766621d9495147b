import { isIP } from 'node:net'
import type { Timestamp } from '@bufbuild/protobuf/wkt'
import { timestampMs } from '@bufbuild/protobuf/wkt'
import { parseAddressRanges } from '../../kernel/address-ranges.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { StoredLimits } from '../../store/catalog/api-keys.ts'
import { invalidField } from '../invalid-field.ts'

/** The limits of a key in a request. */
interface RequestedLimits {
  readonly expireTime?: Timestamp | undefined
  readonly allowedAddresses: readonly string[]
}

/** Parses the limits of a key. Throws `invalid_argument` for a time that has passed, and for text that is no address or range. */
export function parseKeyLimits(
  clock: Clock,
  { expireTime, allowedAddresses }: RequestedLimits,
): StoredLimits {
  const addresses = allowedAddresses.map(parseRange)
  return {
    expiresMs: expireTime && parseFuture(clock, expireTime, 'expireTime'),
    allowedAddresses: [...new Set(addresses)],
  }
}

/** Timestamps end with the year 9999: the last half millisecond of it would be rounded to a time that no answer can have. */
export const TIME_END_MS = Date.UTC(10_000, 0, 1)

/** The milliseconds of a time. Throws `invalid_argument` unless it is in the future. */
export function parseFuture(clock: Clock, time: Timestamp, field: string): number {
  const ms = Math.floor(timestampMs(time))
  if (ms >= TIME_END_MS) throw invalidField(field, 'must be before the year 10000')
  if (ms > clock.nowMs()) return ms
  throw invalidField(field, 'must be in the future')
}

const MAPPED = /^::ffff:/i

/** A range as it is stored, in lower case. A mapped address would never match, because clients count by their IPv4 address. */
function parseRange(text: string, index: number): string {
  const [address = '', bits, ...more] = text.trim().toLowerCase().split('/')
  const range = bits === undefined ? address : `${address}/${bits}`
  const isAddress = isIP(address) !== 0 && !address.includes('%') && !MAPPED.test(address)
  if (isAddress && more.length === 0 && parseAddressRanges([range]).ok) return range
  const description = 'must be an address of IPv4 or IPv6, or a range such as 203.0.113.0/24'
  throw invalidField(`allowedAddresses[${index}]`, description)
}
