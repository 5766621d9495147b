import { randomUUID } from 'node:crypto'
import type { Event } from '../../event/event.ts'
import { checkOccurTime } from '../../event/event-rules.ts'
import { eventIdOf, eventIdOfContent, type Vendor } from './foreign-ids.ts'
import { parseForeignTime, timeOfUuid } from './foreign-time.ts'
import type { SourceObject } from './foreign-value.ts'

/** The parts of an event that decide its id and its time. */
export interface ForeignMoment {
  readonly source: Vendor
  readonly record: SourceObject
  /** The vendor's id of the event. */
  readonly id: string | undefined
  /** The time as sent; `undefined` or null without one. */
  readonly sent: unknown
  /** The same in milliseconds since the Unix epoch, where the vendor sends a number; `undefined` when it is none, or sends text. */
  readonly sentMs?: number | undefined
  /** The time of an event that has no valid one, and no id with a time; in milliseconds since the Unix epoch. */
  readonly otherMs: () => number
}

/** The id and the time of an event. A retry must have both again, so what lacks is derived from what every copy has. */
export function readInstant({
  source,
  record,
  id,
  sent,
  sentMs: numberMs,
  otherMs,
}: ForeignMoment): Pick<Event, 'eventId' | 'timeMs'> & { readonly isReplaced: boolean } {
  const isSent = sent !== undefined && sent !== null
  const sentMs = numberMs ?? (isSent ? parseForeignTime(sent) : undefined)
  if (sentMs !== undefined && checkOccurTime(sentMs) === undefined) {
    const eventId = id === undefined ? eventIdOfContent(source, record) : eventIdOf(source, id)
    return { eventId, timeMs: sentMs, isReplaced: false }
  }
  const eventId = id === undefined ? randomUUID() : eventIdOf(source, id)
  return { eventId, timeMs: timeOfUuid(id) ?? otherMs(), isReplaced: isSent }
}
