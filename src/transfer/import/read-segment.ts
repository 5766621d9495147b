import type { SourceObject } from '../../pipeline/dialects/foreign/foreign-value.ts'
import { readSegmentEvent } from '../../pipeline/dialects/segment/read-event.ts'
import { importItem } from './from-dialect.ts'
import type { Imported } from './imported.ts'
import type { SessionFinder } from './session-finder.ts'
import { readTime } from './to-wire.ts'

/** An archive has no request, and an event without a time is rejected: nothing replaces its time. */
const NO_REQUEST = {
  key: undefined,
  receivedMs: 0,
  skewMs: undefined,
  type: undefined,
  context: {},
} as const

/**
 * Converts a message of an archive of Segment or RudderStack, which has the fields that the SDK sent and the times at which it came.
 * Throws `RejectedRecord`.
 */
export function readSegment(record: SourceObject, sessions: SessionFinder): Imported {
  const item = readSegmentEvent(record, NO_REQUEST)
  if (item.event !== undefined) readTime(record.originalTimestamp ?? record.timestamp)
  return importItem(item, sessions)
}
