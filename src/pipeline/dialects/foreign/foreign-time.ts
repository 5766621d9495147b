import { parseRfc3339 } from '../../decode/rfc3339.ts'
import { checkOccurTime } from '../../event/event-rules.ts'

const TIME = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?) ?(Z|[+-]\d{2}:?\d{2})?$/

/** Times as `Date` of JavaScript prints them: the zeros stand for digits. */
const COMMON = '0000-00-00T00:00:00.000Z'
const [ZERO, NINE] = [0x30, 0x39]

/** Milliseconds since the Unix epoch of a time in the common form; `undefined` for any other text. Speed: `dialect/segment-15`. */
function parseCommonTime(text: string): number | undefined {
  if (text.length !== COMMON.length) return undefined
  for (let at = 0; at < COMMON.length; at++) {
    const code = text.charCodeAt(at)
    const expected = COMMON.charCodeAt(at)
    if (expected === ZERO ? code < ZERO || code > NINE : code !== expected) return undefined
  }
  const [year, month, day] = [number(text, 0, 4), number(text, 5, 2), number(text, 8, 2)]
  const [hour, minute, second] = [number(text, 11, 2), number(text, 14, 2), number(text, 17, 2)]
  // The last days of a month depend on it, and `Date.UTC` takes years below 100 for those of the last century.
  const isCertain = year >= 100 && month >= 1 && month <= 12 && day >= 1 && day <= 28
  if (!isCertain || hour > 23 || minute > 59 || second > 59) return undefined
  return Date.UTC(year, month - 1, day, hour, minute, second, number(text, 20, 3))
}

function number(text: string, start: number, count: number): number {
  let value = 0
  for (let at = start; at < start + count; at++) value = value * 10 + text.charCodeAt(at) - ZERO
  return value
}

/**
 * Milliseconds since the Unix epoch of a time as other products print it: RFC 3339, also with a space for the T, with a zone
 * without a colon, and in UTC without a zone.
 */
export function parseForeignTime(text: unknown): number | undefined {
  // An object may have a member that makes it impossible to convert.
  if (typeof text !== 'string') return undefined
  const commonMs = parseCommonTime(text)
  if (commonMs !== undefined) return commonMs
  const [, date, time, zone = 'Z'] = TIME.exec(text) ?? []
  if (date === undefined) return undefined
  return parseRfc3339(`${date}T${time}${zone.replace(/([+-]\d{2})(\d{2})$/, '$1:$2')}`)
}

/** The time that a version 7 UUID contains, when an event may have it. */
export function timeOfUuid(uuid: string | undefined): number | undefined {
  const [, high, low] = /^([0-9a-f]{8})-([0-9a-f]{4})-7/i.exec(uuid ?? '') ?? []
  if (high === undefined) return undefined
  const timeMs = Number.parseInt(`${high}${low}`, 16)
  return checkOccurTime(timeMs) === undefined ? timeMs : undefined
}

/** A clock this far off is worth a note, in milliseconds. */
const SKEW_MS_MIN = 60_000

/** How far the client's clock is ahead, in milliseconds; `undefined` while it is about right or unknown. */
export function findSkew(sentMs: number | undefined, receivedMs: number): number | undefined {
  if (sentMs === undefined) return undefined
  const skewMs = sentMs - receivedMs
  return Math.abs(skewMs) > SKEW_MS_MIN ? skewMs : undefined
}
