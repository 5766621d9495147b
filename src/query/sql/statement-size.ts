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

/** Bytes of a text or a list of texts with its escapes, quotes and commas; the other types are short. */
function sentBytes(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((bytes, item) => bytes + sentBytes(item) + 3, 2)
  if (typeof value !== 'string') return 0
  return Buffer.byteLength(value) + (value.match(ESCAPED)?.length ?? 0)
}
