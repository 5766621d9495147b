import type { ServiceError } from '../../../contract/service-error.ts'
import { ok, type Result } from '../../../kernel/result.ts'
import type { ForeignBatch, ForeignRequest } from '../foreign/foreign-batch.ts'
import { findSkew, parseForeignTime } from '../foreign/foreign-time.ts'
import { fieldOf, objectOf, textOf } from '../foreign/foreign-value.ts'
import { readItems } from '../foreign/read-items.ts'
import { parseForeignJson } from '../foreign/unwrap-body.ts'
import { readSegmentEvent } from './read-event.ts'

/** The forms of Segment's requests: a batch, or a message of the type that the path names. */
export type SegmentForm = 'batch' | 'track' | 'identify' | 'page' | 'screen' | 'group' | 'alias' | 'merge'

/** Reads a request: one message, a list of messages, or an object with one. */
export function readSegmentRequest(
  body: Uint8Array,
  request: ForeignRequest,
): Result<ForeignBatch, ServiceError> {
  const parsed = parseForeignJson(body)
  if (!parsed.ok) return parsed
  const root = objectOf(parsed.value)
  const isBatch = request.form === 'batch'
  const list = Array.isArray(parsed.value) ? parsed.value : isBatch && fieldOf(root, 'batch')
  const records: readonly unknown[] = Array.isArray(list) ? list : [parsed.value]
  const receivedMs = Math.trunc(request.receivedMicros / 1000)
  const skewMs = findSkew(parseForeignTime(sentAtOf(root, records)), receivedMs)
  const context = isBatch ? objectOf(fieldOf(root, 'context')) : {}
  const type = isBatch ? undefined : request.form
  const facts = { key: request.key, receivedMs, skewMs, type, context }
  const items = readItems(records, (record) => readSegmentEvent(record, facts))
  if (!items.ok) return items
  return ok({ key: textOf(fieldOf(root, 'writeKey')), items: items.value, records })
}

/** RudderStack's libraries send the time in each message too. */
function sentAtOf(root: Readonly<Record<string, unknown>>, records: readonly unknown[]): unknown {
  return fieldOf(root, 'sentAt') ?? fieldOf(objectOf(records[0]), 'sentAt')
}
