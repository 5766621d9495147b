import type { ServiceError } from '../../../contract/service-error.ts'
import { ok, type Result } from '../../../kernel/result.ts'
import type { ForeignBatch, ForeignItem, ForeignRequest } from '../foreign/foreign-batch.ts'
import { isObject, textOf } from '../foreign/foreign-value.ts'
import { readItems } from '../foreign/read-items.ts'
import { parseForeignJson } from '../foreign/unwrap-body.ts'
import { readMixpanelEvent } from './read-event.ts'
import { readMixpanelProfile } from './read-profile.ts'

/** The forms of Mixpanel's requests. Events of a device come from where the user is; other requests say nothing about the user. */
export type MixpanelForm = 'track' | 'track-on-device' | 'import' | 'engage' | 'groups'

/** Reads a request: one object or a list of them, and for an import also one object a line. */
export function readMixpanelRequest(
  body: Uint8Array,
  request: ForeignRequest,
): Result<ForeignBatch, ServiceError> {
  const form = request.form as MixpanelForm
  const parsed = form === 'import' ? parseRecords(body) : parseForeignJson(body)
  if (!parsed.ok) return parsed
  const records: readonly unknown[] = Array.isArray(parsed.value) ? parsed.value : [parsed.value]
  const receivedMs = Math.trunc(request.receivedMicros / 1000)
  const facts = { key: request.key, receivedMs, isOnDevice: form === 'track-on-device' }
  const read = (record: unknown): ForeignItem => {
    if (!isObject(record)) return { id: undefined, dropped: 'not_an_object' }
    if (form === 'groups') return { id: undefined, dropped: 'groups_not_supported' }
    return form === 'engage' ? readMixpanelProfile(record, request.key) : readMixpanelEvent(record, facts)
  }
  const items = readItems(
    records,
    request.listsResults ? (record, index) => nameByPlace(read(record), index) : read,
  )
  if (!items.ok) return items
  return ok({ key: undefined, items: items.value, records })
}

/** An import's answer names each record by its index and its id. */
function nameByPlace(item: ForeignItem, index: number): ForeignItem {
  return { ...item, id: `${index} ${item.id ?? ''}` }
}

/** The record that the name of an item stands for. */
export function placeOfItem(name: string): { readonly index: number; readonly insertId: string } {
  const end = name.indexOf(' ')
  return { index: Number(name.slice(0, end)), insertId: textOf(name.slice(end + 1)) ?? '' }
}

/** JSON, or one JSON object a line. */
function parseRecords(body: Uint8Array): Result<unknown, ServiceError> {
  const parsed = parseForeignJson(body)
  if (parsed.ok) return parsed
  const lines = Buffer.from(body)
    .toString('latin1')
    .split('\n')
    .filter((line) => line.trim() !== '')
  if (lines.length < 2) return parsed
  const ofLines = parseForeignJson(Buffer.from(`[${lines.join(',')}]`, 'latin1'))
  return ofLines.ok ? ofLines : parsed
}
