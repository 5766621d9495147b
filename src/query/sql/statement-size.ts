import { ServiceError } from '../../contract/service-error.ts'
import type { Statement } from './sql.ts'

/** ClickHouse's own limit of one field of a request. */
export const PARAM_BYTES_MAX = 128 * 1024

/** ClickHouse takes a thousand fields, settings among them. */
export const PARAMS_MAX = 900

/** What the client writes with a backslash before it. */
const ESCAPED = /[\\\t\n\r']/g

/** Throws `invalid_argument` when the parameters are more, or one is longer, than ClickHouse takes. */
export function checkParams({ params }: Statement): void {
  const values = Object.values(params)
  if (values.length > PARAMS_MAX) throw tooLarge(`there are more than ${PARAMS_MAX} values to compare with`)
  if (values.some((value) => sentBytes(value) > PARAM_BYTES_MAX)) {
    throw tooLarge(`a value, or a list of values, is longer than ${PARAM_BYTES_MAX} bytes`)
  }
}

/** Whether parameters may travel as fields of a form, of which the text is one then; an address has less room. */
export function fitsForm({ text }: Statement): boolean {
  return Buffer.byteLength(text) <= PARAM_BYTES_MAX
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
