import { ServiceError } from '../../contract/service-error.ts'
import type { Statement } from './sql.ts'

/** ClickHouse's limit for one field of a form. */
export const PARAM_BYTES_MAX = 128 * 1024

/** ClickHouse accepts a thousand fields, settings included. */
export const PARAMS_MAX = 900

/**
 * The longest text of a statement. Planning counts towards the engine's time limit but cannot be interrupted, and takes about
 * a second per 100 KB of flat text. With the format appended, the text fits into one field of a form.
 */
const TEXT_BYTES_MAX = 120 * 1024

/**
 * The most characters of a statement, each counted once for every subquery that it is in. The engine goes through a subquery
 * again for each one around it: funnels of many steps took it 2 to 6 s per million of these.
 */
const NESTED_CHARACTERS_MAX = 2_500_000

/** Characters that the client escapes with a backslash. */
const ESCAPED = /[\\\t\n\r']/g

/** Throws `invalid_argument` when the text, its subqueries, a parameter or the number of parameters exceed their limit. */
export function checkStatement({ text, params }: Statement): void {
  if (Buffer.byteLength(text) > TEXT_BYTES_MAX)
    throw tooLarge('the query has too many conditions; use fewer filters')
  if (countNested(text) > NESTED_CHARACTERS_MAX)
    throw tooLarge('the query is too complex to plan; use fewer steps, exclusions, optional steps or filters')
  const values = Object.values(params)
  if (values.length > PARAMS_MAX)
    throw tooLarge(`the query has more than ${PARAMS_MAX} values; use fewer filters`)
  if (values.some((value) => sentBytes(value) > PARAM_BYTES_MAX)) {
    throw tooLarge(`a value, or a list of values, is longer than ${PARAM_BYTES_MAX} bytes`)
  }
}

const SUBQUERY = '(SELECT '

/** The characters of a text, each counted once for every subquery that it is in. */
function countNested(text: string): number {
  const opened: boolean[] = []
  let depth = 0
  let count = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '(') {
      const isSubquery = text.startsWith(SUBQUERY, at)
      opened.push(isSubquery)
      if (isSubquery) depth++
    }
    if (character === ')' && opened.pop()) depth--
    count += depth
  }
  return count
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
