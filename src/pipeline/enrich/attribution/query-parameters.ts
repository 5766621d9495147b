import { ByteCache } from '../../encode/byte-cache.ts'
import type { TextSource } from '../../event/event-row.ts'
import { cutText } from '../../event/event-rules.ts'
import { stockText } from '../../event/stock-text.ts'
import { textOf } from './url-bytes.ts'

const PERCENT = 0x25
const AMPERSAND = 0x26
const PLUS = 0x2b
const EQUALS = 0x3d

/** Room for the names; a power of two. */
const NAMES_MAX = 64
const NAME_BYTES_MAX = 1024

/** Reads the parameters of a query that have one of the given names. Speed: `task/browser-json-100`. */
export class QueryReader {
  /** The decoded value of each name in the source: its start, and its length in bytes, which is 0 without a value. */
  readonly starts: Int32Array
  readonly lengths: Int32Array
  readonly #names: readonly string[]
  readonly #indexes = new ByteCache<number>(NAMES_MAX, NAME_BYTES_MAX)
  /** First bytes of the names: skips nearly every other parameter. */
  readonly #initials = new Uint8Array(256)

  constructor(names: readonly string[]) {
    this.#names = names
    this.starts = new Int32Array(names.length)
    this.lengths = new Int32Array(names.length)
    for (const [index, name] of names.entries()) {
      const text = stockText(name)
      this.#indexes.find(text.view, 0, text.length)
      this.#indexes.add(text, 0, text.length, index)
      this.#initials[name.charCodeAt(0)] = 1
    }
    // A name may be percent-encoded from its first character on.
    this.#initials[PERCENT] = 1
  }

  /**
   * Finds the values in the query at `start`, each the first that is not empty; returns whether there are any. Agrees with
   * URLSearchParams.
   */
  read(source: TextSource, start: number, end: number): boolean {
    for (let index = 0; index < this.lengths.length; index++) this.lengths[index] = 0
    let isFound = false
    for (let at = start; at < end; at++) {
      const first = at
      at = find(source.bytes, AMPERSAND, first, end)
      if (this.#initials[source.bytes[first] ?? 0] === 1 && this.#take(source, first, at)) isFound = true
    }
    return isFound
  }

  #take(source: TextSource, start: number, end: number): boolean {
    const nameEnd = find(source.bytes, EQUALS, start, end)
    const valueStart = nameEnd + 1
    const index = valueStart < end ? this.#indexOf(source, start, nameEnd) : -1
    if (index < 0 || (this.lengths[index] ?? 0) > 0) return false
    this.starts[index] = valueStart
    this.lengths[index] = end - valueStart
    if (isPlain(source.bytes, valueStart, end)) return true
    const value = decodeValue(textOf(source, valueStart, end))
    this.starts[index] = source.tail
    this.lengths[index] = source.add(cutText(value))
    return value !== ''
  }

  #indexOf(source: TextSource, start: number, end: number): number {
    if (find(source.bytes, PERCENT, start, end) === end) {
      return this.#indexes.find(source.view, start, end - start) ?? -1
    }
    return this.#names.indexOf(decodeName(textOf(source, start, end)))
  }
}

/** Offset of the first such byte, or the end. */
function find(bytes: Uint8Array, byte: number, start: number, end: number): number {
  let at = start
  while (at < end && bytes[at] !== byte) at++
  return at
}

function isPlain(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    if (bytes[at] === PERCENT || bytes[at] === PLUS) return false
  }
  return true
}

/** Decodes ASCII escapes in a name. Never throws, because a query may have hundreds of invalid names. */
function decodeName(raw: string): string {
  return raw.replace(/%([2-7][0-9A-Fa-f])/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
}

/** Decodes as URLSearchParams does. */
function decodeValue(raw: string): string {
  const spaced = raw.replaceAll('+', ' ')
  if (!spaced.includes('%')) return spaced
  try {
    return decodeURIComponent(spaced)
  } catch (error) {
    if (!(error instanceof URIError)) throw error
    // Invalid UTF-8 or a lone %: URLSearchParams decodes them leniently.
    return new URLSearchParams(`value=${raw}`).get('value') ?? ''
  }
}
