import { parseRfc3339 } from '../../decode/rfc3339.ts'
import { checkOccurTime } from '../../event/event-rules.ts'

const TIME = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?) ?(Z|[+-]\d{2}:?\d{2})?$/

/** Characters of `2026-01-20` and of `2026-01-20T12:00:00.321Z`, as `Date` of JavaScript prints times. */
const [DAY_LENGTH, TIME_LENGTH] = [10, 24]

/** Parses the common form of times; keeps the last day, because most events are of one. Speed: `dialect/segment-15`. */
class DayParser {
  #day = ''
  #dayMs = Number.NaN

  /** Milliseconds since the Unix epoch; `undefined` for another form, and for a time that does not exist. */
  parse(text: string): number | undefined {
    if (text.length !== TIME_LENGTH || !isCommonTime(text)) return undefined
    if (!text.startsWith(this.#day) || this.#day === '') {
      const day = text.slice(0, DAY_LENGTH)
      const dayMs = parseRfc3339(`${day}T00:00:00Z`)
      if (dayMs === undefined) return undefined
      this.#day = day
      this.#dayMs = dayMs
    }
    const [hour, minute, second] = [number(text, 11, 2), number(text, 14, 2), number(text, 17, 2)]
    if (hour > 23 || minute > 59 || second > 59) return undefined
    return this.#dayMs + ((hour * 60 + minute) * 60 + second) * 1000 + number(text, 20, 3)
  }
}

const DAYS = new DayParser()
const PATTERN = '....-..-..T00:00:00.000Z'

/** Whether a text has digits for the zeros of the pattern and its other characters; the day, for which it has dots, may be anything. */
function isCommonTime(text: string): boolean {
  for (let at = DAY_LENGTH; at < TIME_LENGTH; at++) {
    const code = text.charCodeAt(at)
    const expected = PATTERN.charCodeAt(at)
    if (expected === ZERO ? code < ZERO || code > NINE : code !== expected) return false
  }
  return true
}

const [ZERO, NINE] = [0x30, 0x39]

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
  const commonMs = DAYS.parse(text)
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
