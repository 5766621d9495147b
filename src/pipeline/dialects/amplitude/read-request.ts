import type { ServiceError } from '../../../contract/service-error.ts'
import { ok, type Result } from '../../../kernel/result.ts'
import type { ForeignBatch, ForeignItem, ForeignRequest } from '../foreign/foreign-batch.ts'
import { findSkew, parseForeignTime } from '../foreign/foreign-time.ts'
import { fieldOf, isObject, objectOf, type SourceObject, textOf } from '../foreign/foreign-value.ts'
import { readItems } from '../foreign/read-items.ts'
import { parseForeignJson } from '../foreign/unwrap-body.ts'
import { type AmplitudeRequest, readAmplitudeEvent } from './read-event.ts'

/** The forms of Amplitude's requests: events, properties of users, or properties of groups. */
export type AmplitudeForm = 'events' | 'identify' | 'groups'

/** Reads a request: a list of events, or what the identify API takes. */
export function readAmplitudeRequest(
  body: Uint8Array,
  request: ForeignRequest,
): Result<ForeignBatch, ServiceError> {
  const parsed = parseForeignJson(body)
  if (!parsed.ok) return parsed
  const root = objectOf(parsed.value)
  const receivedMs = Math.trunc(request.receivedMicros / 1000)
  const skewMs = findSkew(parseForeignTime(fieldOf(root, 'client_upload_time')), receivedMs)
  const records = recordsOf(parsed.value, request.form)
  const items = readItems(records, (record, index) => {
    const item = readRecord(record, { form: request.form, receivedMs, skewMs })
    return { id: String(index), ...item }
  })
  if (!items.ok) return items
  return ok({ key: textOf(fieldOf(root, 'api_key')), items: items.value, records })
}

function recordsOf(parsed: unknown, form: string): readonly unknown[] {
  const events = form === 'events' ? fieldOf(objectOf(parsed), 'events') : parsed
  if (Array.isArray(events)) return events
  return isObject(events) ? [events] : []
}

function readRecord(
  record: unknown,
  { form, ...facts }: AmplitudeRequest & { readonly form: string },
): Omit<ForeignItem, 'id'> {
  if (!isObject(record)) return { dropped: 'not_an_object' }
  if (form === 'groups') return { dropped: 'groups_not_supported' }
  const event: SourceObject = form === 'identify' ? { ...record, event_type: '$identify' } : record
  return readAmplitudeEvent(event, facts)
}
