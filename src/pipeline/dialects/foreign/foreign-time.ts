import { parseRfc3339 } from '../../decode/rfc3339.ts'
import { checkOccurTime } from '../../event/event-rules.ts'

const TIME = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?) ?(Z|[+-]\d{2}:?\d{2})?$/

/**
 * Milliseconds since the Unix epoch of a time as other products print it: RFC 3339, also with a space for the T, with a zone
 * without a colon, and in UTC without a zone.
 */
export function parseForeignTime(text: unknown): number | undefined {
  const [, date, time, zone = 'Z'] = TIME.exec(String(text)) ?? []
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
