import { ServiceError } from '../../contract/service-error.ts'
import type { Statement } from './sql.ts'

/** ClickHouse's limit for one field of a form. */
export const PARAM_BYTES_MAX = 128 * 1024

/** ClickHouse accepts a thousand fields, settings included. */
export const PARAMS_MAX = 900

/**
 * The longest text of a statement. The engine's time limit does not cover planning, which takes about a second per 100 KB
 * and cannot be cancelled. With the format appended, the text fits into one field of a form.
 */
const TEXT_BYTES_MAX = 120 * 1024

/** Characters that the client escapes with a backslash. */
const ESCAPED = /[\\\t\n\r']/g

/** Throws `invalid_argument` when the text, a parameter or the number of parameters exceeds its limit. */
export function checkStatement({ text, params }: Statement): void {
  if (Buffer.byteLength(text) > TEXT_BYTES_MAX)
    throw tooLarge('the query has too many conditions; use fewer filters')
  const values = Object.values(params)
  if (values.length > PARAMS_MAX)
    throw tooLarge(`the query has more than ${PARAMS_MAX} values; use fewer filters`)
  if (values.some((value) => sentBytes(value) > PARAM_BYTES_MAX)) {
    throw tooLarge(`a value, or a list of values, is longer than ${PARAM_BYTES_MAX} bytes`)
  }
}

function tooLarge(message: string): ServiceError {
  return new ServiceError({ code: 'invalid_argument', reason: 'INVALID_REQUEST', message })
}

/** Cuts a list of texts into lists that fit into one parameter each. */
export function* fitParams(texts: readonly string[]): Generator<readonly string[]> {
  let start = 0
  let bytes = LIST_BYTES
  for (const [index, text] of texts.entries()) {
    const more = sentBytes(text) + ITEM_BYTES
    if (bytes + more > PARAM_BYTES_MAX && index > start) {
      yield texts.slice(start, index)
      start = index
      bytes = LIST_BYTES
    }
    bytes += more
  }
  if (start < texts.length) yield texts.slice(start)
}

/** The brackets of a list, and the quotes and the comma of an item. */
const LIST_BYTES = 2
const ITEM_BYTES = 3

/** Bytes of a value, or a list of values, with its escapes, quotes and commas; the other types are short. */
function sentBytes(value: unknown): number {
  if (Array.isArray(value))
    return value.reduce((bytes, item) => bytes + sentBytes(item) + ITEM_BYTES, LIST_BYTES)
  if (typeof value === 'bigint' || typeof value === 'number') return String(value).length
  if (typeof value !== 'string') return 0
  return Buffer.byteLength(value) + (value.match(ESCAPED)?.length ?? 0)
}
