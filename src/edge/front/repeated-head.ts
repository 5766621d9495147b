import type { PassedHead } from './passed-head.ts'

/** Longer heads are read anew each time: every connection keeps the bytes of one. */
const KEPT_BYTES_MAX = 2048

const LENGTH_DIGITS_MAX = 15
const ZERO = 0x30
const NINE = 0x39
const LENGTH_FIELD = '\r\ncontent-length:'
const LENGTH_LINE = /^[\t ]*(\d+)[\t ]*$/

/**
 * A head that passed, by its bytes. Most clients repeat their head on a connection and change nothing but the length of the
 * body; comparing bytes costs a small part of reading them (benchmark case `e2e/json-batch-1`).
 */
export class RepeatedHead {
  readonly #head: PassedHead
  readonly #bytes: Buffer
  readonly #lengthStart: number
  readonly #lengthEnd: number
  #bodyBytes = 0

  private constructor(
    head: PassedHead,
    bytes: Buffer,
    length: { readonly start: number; readonly end: number },
  ) {
    this.#head = head
    this.#bytes = bytes
    this.#lengthStart = length.start
    this.#lengthEnd = length.end
  }

  /** Keeps a head with its last empty line; `undefined` when it is long or gives no length. */
  static keep(head: PassedHead, bytes: Buffer): RepeatedHead | undefined {
    const field = head.lowered.indexOf(LENGTH_FIELD)
    if (field === -1 || bytes.length > KEPT_BYTES_MAX) return undefined
    const from = field + LENGTH_FIELD.length
    const line = head.text.slice(from, head.text.indexOf('\r\n', from))
    const digits = LENGTH_LINE.exec(line)?.[1]
    if (digits === undefined) return undefined
    const start = from + line.indexOf(digits)
    return new RepeatedHead(head, Buffer.from(bytes), { start, end: start + digits.length })
  }

  /** Bytes of the body of the head that {@link findEnd} found last. */
  get bodyBytes(): number {
    return this.#bodyBytes
  }

  /** That head. */
  repeat(): PassedHead {
    const { text, lowered } = this.#head
    return { text, lowered, bodyBytes: this.#bodyBytes, repeats: this.#head }
  }

  /** The offset at which the same head ends, regardless of its Content-Length; -1 when the bytes differ or the head is incomplete. */
  findEnd(bytes: Buffer, offset: number): number {
    const known = this.#bytes
    const start = offset + this.#lengthStart
    if (start >= bytes.length || bytes.compare(known, 0, this.#lengthStart, offset, start) !== 0) return -1
    const lengthEnd = this.#readLength(bytes, start)
    const end = lengthEnd + known.length - this.#lengthEnd
    if (lengthEnd === start || end > bytes.length) return -1
    return bytes.compare(known, this.#lengthEnd, known.length, lengthEnd, end) === 0 ? end : -1
  }

  #readLength(bytes: Buffer, start: number): number {
    const max = Math.min(bytes.length, start + LENGTH_DIGITS_MAX)
    this.#bodyBytes = 0
    let at = start
    for (; at < max; at++) {
      const digit = bytes[at] ?? 0
      if (digit < ZERO || digit > NINE) break
      this.#bodyBytes = this.#bodyBytes * 10 + digit - ZERO
    }
    return at
  }
}
