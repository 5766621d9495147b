import type { ServiceError } from '../../../contract/service-error.ts'
import { ok, type Result } from '../../../kernel/result.ts'
import type { ForeignBatch, ForeignRequest } from '../foreign/foreign-batch.ts'
import { findSkew, parseForeignTime } from '../foreign/foreign-time.ts'
import { fieldOf, isObject, objectOf, textOf } from '../foreign/foreign-value.ts'
import { readItems } from '../foreign/read-items.ts'
import { parseForeignJson } from '../foreign/unwrap-body.ts'
import { readPosthogEvent } from './read-event.ts'

/** The forms of PostHog's requests that send events. */
export type PosthogForm = 'capture' | 'engage' | 'v1' | 'recordings'

/** Reads a request: one event, a list of events, or an object with a list of events. */
export function readPosthogRequest(
  body: Uint8Array,
  request: ForeignRequest,
): Result<ForeignBatch, ServiceError> {
  if (request.form === 'recordings') {
    return ok({ key: undefined, items: [{ id: undefined, dropped: 'recordings_not_supported' }] })
  }
  const parsed = parseForeignJson(body)
  if (!parsed.ok) return parsed
  const root = objectOf(parsed.value)
  const receivedMs = Math.trunc(request.receivedMicros / 1000)
  const sentAt = fieldOf(root, 'sent_at') ?? fieldOf(root, 'created_at')
  const facts = {
    key: request.key,
    receivedMs,
    skewMs: findSkew(parseForeignTime(sentAt), receivedMs),
    nameOfUnnamed: request.form === 'engage' ? '$set' : undefined,
  }
  const records = recordsOf(parsed.value)
  const items = readItems(records, (record) => readPosthogEvent(record, facts))
  if (!items.ok) return items
  return ok({ key: keyOf(root), items: items.value, records })
}

function recordsOf(parsed: unknown): readonly unknown[] {
  if (Array.isArray(parsed)) return parsed
  const root = objectOf(parsed)
  for (const name of ['batch', 'data']) {
    const list = fieldOf(root, name)
    if (Array.isArray(list)) return list
    if (name === 'data' && isObject(list)) return [list]
  }
  return [parsed]
}

/** The key of the body as a whole, and for one event alone also that of the event. */
function keyOf(root: Readonly<Record<string, unknown>>): string | undefined {
  return textOf(fieldOf(root, 'api_key')) ?? textOf(fieldOf(root, 'token'))
}
