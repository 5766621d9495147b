import { isUuid } from '../../contract/ids.ts'
import type { PropertyType, PropertyValue, PropertyValues } from '../../contract/property-types.ts'
import { LIMITS } from '../../kernel/limits.ts'

/** The rules of an event's fields. Each returns the problem, or `undefined` when there is none. */

const KIND = /^[a-zA-Z0-9_.-]+$/
const RESERVED_KIND_PREFIX = 'service.'

/** The prefix of derived distinct ids; clients may not send it. */
export const COOKIELESS_PREFIX = 'cookieless-'

/** 2106-01-01T00:00:00Z: the first instant beyond the range of ClickHouse's calendar functions. */
const TIME_END_MS = Date.UTC(2106, 0, 1)

/** Property times are in the years 1 to 9999: see `timestamp_value` in property.proto. */
const PROPERTY_TIME_MIN_MS = -62_135_596_800_000
const PROPERTY_TIME_MAX_MS = 253_402_300_799_999

const MIN_INT64 = -(2n ** 63n)
const MAX_INT64 = 2n ** 63n - 1n

/** Properties that only the server sets: values that clients send under these names are dropped. */
export const SERVER_OWNED_PROPERTIES: ReadonlySet<string> = new Set([
  '$ip',
  '$bot_score',
  '$verified_bot',
  '$schema_violation',
])

/** True when `text` has more than `max` code points; a surrogate pair is one. */
function exceedsCodePoints(text: string, max: number): boolean {
  if (text.length <= max) return false
  if (text.length > max * 2) return true
  let count = 0
  for (const _ of text) count++
  return count > max
}

/** The rule of `eventId` and `sessionId`: 8-4-4-4-12 hexadecimal digits. */
export function checkUuid(text: string): string | undefined {
  return isUuid(text) ? undefined : 'must be a UUID'
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
  if (text.startsWith(COOKIELESS_PREFIX)) return `must not start with ${COOKIELESS_PREFIX}`
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

/** The rule of every stored text: well-formed Unicode of at most `max` code points. */
function checkText(text: string, max: number): string | undefined {
  if (!text.isWellFormed()) return 'must be valid Unicode text'
  return exceedsCodePoints(text, max) ? `must have at most ${max} characters` : undefined
}

const KEY_MAX = LIMITS.propertyKeyCodePointsMax

/** The rule of a property key, by the map that contains it. */
export function checkPropertyKey(key: string, map: 'auto' | 'custom'): string | undefined {
  if (key === '') return 'must not have an empty key'
  const isAuto = key.startsWith('$')
  if (map === 'auto' && !isAuto) return 'must have keys that start with $'
  if (map === 'custom' && isAuto) return 'must not have keys that start with $'
  if (!key.isWellFormed()) return 'must have keys that are valid Unicode text'
  return exceedsCodePoints(key, KEY_MAX) ? `must have keys of at most ${KEY_MAX} characters` : undefined
}

/** The rule of each type of values. */
const VALUE_RULES = {
  string: (value) => checkText(value, LIMITS.stringCodePointsMax),
  int: (value) => (value >= MIN_INT64 && value <= MAX_INT64 ? undefined : 'must fit a signed 64-bit integer'),
  double: (value) => (Number.isFinite(value) ? undefined : 'must be a finite number'),
  bool: () => undefined,
  time: checkPropertyTime,
} as const satisfies { readonly [Type in PropertyType]: (value: PropertyValues[Type]) => string | undefined }

/** The rule of a typed value. */
export function checkPropertyValue(value: PropertyValue): string | undefined {
  const check: (value: never) => string | undefined = VALUE_RULES[value.type]
  return check(value.value as never)
}

const TEXT_MAX = LIMITS.stringCodePointsMax

/** Makes a text fit a property: trimmed, well-formed, cut to the limit; `undefined` when nothing is left. */
export function fitText(text: string): string | undefined {
  const fitting = cutText(text.trim()).toWellFormed()
  return fitting === '' ? undefined : fitting
}

/** Where no code unit is one, code points and code units are the same. */
const SURROGATE = /[\ud800-\udfff]/

/** The text up to the limit of code points; never splits a surrogate pair. */
export function cutText(text: string): string {
  if (text.length <= TEXT_MAX) return text
  const units = text.slice(0, TEXT_MAX)
  if (!SURROGATE.test(units)) return units
  let end = 0
  for (let count = 0; count < TEXT_MAX && end < text.length; count++) {
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1
  }
  return text.slice(0, end)
}
