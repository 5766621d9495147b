import { LIMITS } from '../../kernel/limits.ts'

/** The rules of an event's fields. Each answers what is wrong, or `undefined` when nothing is. */

const UUID = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/
const KIND = /^[a-zA-Z0-9_.-]+$/
const RESERVED_KIND_PREFIX = 'service.'
const SERVER_ID_PREFIX = 'cookieless-'

/** 2106-01-01T00:00:00Z: the first instant that the store's calendar functions cannot hold. */
const TIME_END_MS = Date.UTC(2106, 0, 1)

/** Property times are in the years 1 to 9999, as the contract says of `timestamp_value`. */
const PROPERTY_TIME_MIN_MS = -62_135_596_800_000
const PROPERTY_TIME_MAX_MS = 253_402_300_799_999

const MIN_INT64 = -(2n ** 63n)
const MAX_INT64 = 2n ** 63n - 1n

/** Properties that only the server sets: what a client sends under these names is dropped. */
export const SERVER_OWNED_PROPERTIES: ReadonlySet<string> = new Set([
  '$ip',
  '$bot_score',
  '$verified_bot',
  '$schema_violation',
])

/** True when `text` has more than `max` code points; a surrogate pair is one. */
export function exceedsCodePoints(text: string, max: number): boolean {
  if (text.length <= max) return false
  if (text.length > max * 2) return true
  let count = 0
  for (const _ of text) count++
  return count > max
}

/** The rule of `eventId` and `sessionId`: 8-4-4-4-12 hexadecimal digits. */
export function checkUuid(text: string): string | undefined {
  return UUID.test(text) ? undefined : 'must be a UUID'
}

/** The rule of `kind`. */
export function checkKind(text: string): string | undefined {
  if (text === '') return 'is required'
  if (!KIND.test(text)) return 'must match ^[a-zA-Z0-9_.-]+$'
  if (text.startsWith(RESERVED_KIND_PREFIX))
    return `must not start with the reserved prefix ${RESERVED_KIND_PREFIX}`
  return text.length > LIMITS.kindCodePointsMax
    ? `must have at most ${LIMITS.kindCodePointsMax} characters`
    : undefined
}

/** The rule of `distinctId` of an event that is not cookieless. */
export function checkDistinctId(text: string): string | undefined {
  if (text === '') return 'is required unless cookieless is true'
  if (text.startsWith(SERVER_ID_PREFIX)) return `must not start with ${SERVER_ID_PREFIX}`
  return checkText(text, LIMITS.distinctIdCodePointsMax)
}

/** The rule of `occurTime`: milliseconds since the epoch, from 1970 to 2105. */
export function checkOccurTime(timeMs: number): string | undefined {
  return timeMs >= 0 && timeMs < TIME_END_MS ? undefined : 'must be from 1970-01-01 to 2105-12-31'
}

/** The rule of a time that is the value of a property: the years 1 to 9999. */
export function checkPropertyTime(timeMs: number): string | undefined {
  const isInRange = timeMs >= PROPERTY_TIME_MIN_MS && timeMs <= PROPERTY_TIME_MAX_MS
  return isInRange ? undefined : 'must be from 0001-01-01 to 9999-12-31'
}

/** The rule of every text that is stored: well-formed Unicode of at most `max` code points. */
export function checkText(text: string, max: number): string | undefined {
  if (!text.isWellFormed()) return 'must be valid Unicode text'
  return exceedsCodePoints(text, max) ? `must have at most ${max} characters` : undefined
}

const KEY_MAX = LIMITS.propertyKeyCodePointsMax

/** The rule of a property key, by the map that it stands in. */
export function checkPropertyKey(key: string, map: 'auto' | 'custom'): string | undefined {
  if (key === '') return 'must not have an empty key'
  const isAuto = key.startsWith('$')
  if (map === 'auto' && !isAuto) return 'must have keys that start with $'
  if (map === 'custom' && isAuto) return 'must not have keys that start with $'
  if (!key.isWellFormed()) return 'must have keys that are valid Unicode text'
  return exceedsCodePoints(key, KEY_MAX) ? `must have keys of at most ${KEY_MAX} characters` : undefined
}

/** The rule of an integer value. */
export function checkInt64(value: bigint): string | undefined {
  return value >= MIN_INT64 && value <= MAX_INT64 ? undefined : 'must fit a signed 64-bit integer'
}
