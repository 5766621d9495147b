import { fieldOf, objectOf, type SourceObject } from '../../pipeline/dialects/foreign/foreign-value.ts'
import { readPosthogEvent } from '../../pipeline/dialects/posthog/read-event.ts'
import { importItem } from './from-dialect.ts'
import { type Imported, RejectedRecord } from './imported.ts'
import type { SessionFinder } from './session-finder.ts'
import { readTime } from './to-wire.ts'

/** An export has no request, and an event without a time is rejected: nothing replaces its time. */
const NO_REQUEST = { key: undefined, receivedMs: 0, skewMs: undefined, nameOfUnnamed: undefined } as const

/** Converts an event as PostHog's API and batch exports print it. Throws {@link RejectedRecord}. */
export function readPosthog(record: SourceObject, sessions: SessionFinder): Imported {
  const properties = readProperties(record.properties)
  // The API names the id of an event otherwise.
  const uuid = fieldOf(record, 'uuid') ?? fieldOf(record, 'id')
  const sent = { ...record, ...(uuid === undefined ? {} : { uuid }), properties }
  const item = readPosthogEvent(sent, NO_REQUEST)
  if (item.event !== undefined) readTime(record.timestamp)
  return importItem(item, sessions)
}

/** A dump of PostHog's events table contains the properties as JSON text. */
function readProperties(properties: unknown): SourceObject {
  if (typeof properties !== 'string') return objectOf(properties)
  try {
    return objectOf(JSON.parse(properties))
  } catch {
    throw new RejectedRecord('the properties are not valid JSON')
  }
}
