import type { ServiceError } from '../../../contract/service-error.ts'
import { ok, type Result } from '../../../kernel/result.ts'
import type { ForeignBatch, ForeignRequest } from '../foreign/foreign-batch.ts'
import { readItems } from '../foreign/read-items.ts'
import { parseForeignJson } from '../foreign/unwrap-body.ts'
import { readUmamiItem } from './read-item.ts'

/** The forms of Umami's requests: one item, or a list of them. */
export type UmamiForm = 'send' | 'batch'

/** Reads a request: an item, or a list of items. */
export function readUmamiRequest(
  body: Uint8Array,
  request: ForeignRequest,
): Result<ForeignBatch, ServiceError> {
  const parsed = parseForeignJson(body)
  if (!parsed.ok) return parsed
  const receivedMs = Math.trunc(request.receivedMicros / 1000)
  const records = request.form === 'batch' && Array.isArray(parsed.value) ? parsed.value : [parsed.value]
  const items = readItems(records, (record, index) => ({
    id: String(index),
    ...readUmamiItem(record, receivedMs),
  }))
  if (!items.ok) return items
  return ok({ key: undefined, items: items.value, records })
}
