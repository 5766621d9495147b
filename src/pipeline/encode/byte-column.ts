import type { StockText } from '../event/stock-text.ts'
import { copyWords } from './copy-bytes.ts'
import type { SourceText } from './source-text.ts'

/** Texts up to this length are copied in a loop, which is faster than a call into native code. */
const LOOP_BYTES_MAX = 96

/** A larger column is reallocated after its block. */
const REUSED_BYTES_MAX = 1024 * 1024

/** The copying loop writes whole words, up to three bytes beyond a text; also room for a length prefix. */
const SLACK_BYTES = 16

/**
 * The bytes of one column under construction, in ClickHouse's Native format (little-endian).
 * Fields are public and copies go by words for speed: `decode/json-batch-100`, `decode/binary-batch-100`.
 */
export class ByteColumn {
  bytes: Uint8Array
  view: DataView
  /** Bytes written so far. */
  length = 0
  #capacity: number

  readonly #initialBytes: number

  constructor(initialBytes: number) {
    this.bytes = new Uint8Array(new ArrayBuffer(initialBytes + SLACK_BYTES))
    this.view = new DataView(this.bytes.buffer)
    this.#capacity = initialBytes
    this.#initialBytes = initialBytes
  }

  /** Removes all bytes, and frees the memory of an unusually large block. */
  clear(): void {
    this.length = 0
    if (this.#capacity > REUSED_BYTES_MAX) this.#allocate(this.#initialBytes)
  }

  /** Makes room for `count` more bytes. */
  reserve(count: number): void {
    if (this.length + count > this.#capacity) this.#grow(count)
  }

  /** Appends a text of the source: its byte length as a varint, then its bytes. */
  text(source: SourceText, start: number, length: number): void {
    this.reserve(length + 5)
    let at = this.length
    if (length < 0x80) this.bytes[at++] = length
    else at = this.#varint(length, at)
    if (length > LOOP_BYTES_MAX) this.bytes.set(source.bytes.subarray(start, start + length), at)
    else copyWords(source.view, start, this.view, at, length)
    this.length = at + length
  }

  /** Appends a text that is encoded already: its byte length as a varint, then its bytes. */
  stock({ bytes, view, length }: StockText): void {
    this.reserve(length + 5)
    let at = this.length
    if (length < 0x80) this.bytes[at++] = length
    else at = this.#varint(length, at)
    if (length > LOOP_BYTES_MAX) this.bytes.set(bytes.subarray(0, length), at)
    else copyWords(view, 0, this.view, at, length)
    this.length = at + length
  }

  /** Appends bytes. */
  raw(bytes: Uint8Array, start: number, length: number): void {
    this.reserve(length)
    this.bytes.set(bytes.subarray(start, start + length), this.length)
    this.length += length
  }

  /** Appends bytes of another column. */
  copy(from: ByteColumn, start: number, length: number): void {
    this.reserve(length)
    const at = this.length
    if (length > LOOP_BYTES_MAX) this.bytes.set(from.bytes.subarray(start, start + length), at)
    else copyWords(from.view, start, this.view, at, length)
    this.length = at + length
  }

  /** Appends one byte. */
  byte(value: number): void {
    this.reserve(1)
    this.bytes[this.length++] = value
  }

  /** Appends an Int64 by its halves. */
  int64(low: number, high: number): void {
    this.reserve(8)
    const at = this.length
    this.view.setInt32(at, low, true)
    this.view.setInt32(at + 4, high, true)
    this.length = at + 8
  }

  /** Appends a Float64. */
  float64(value: number): void {
    this.reserve(8)
    this.view.setFloat64(this.length, value, true)
    this.length += 8
  }

  /** Appends a number below 2^32 as an unsigned varint. */
  varint(value: number): void {
    this.reserve(5)
    this.length = this.#varint(value, this.length)
  }

  /** Appends `count` zero bytes, which are as many empty texts. */
  zeros(count: number): void {
    this.reserve(count)
    const end = this.length + count
    if (count > LOOP_BYTES_MAX) this.bytes.fill(0, this.length, end)
    else for (let at = this.length; at < end; at++) this.bytes[at] = 0
    this.length = end
  }

  #varint(value: number, start: number): number {
    let rest = value
    let at = start
    while (rest >= 0x80) {
      this.bytes[at++] = (rest & 0x7f) | 0x80
      rest >>>= 7
    }
    this.bytes[at++] = rest
    return at
  }

  #grow(count: number): void {
    const { bytes } = this
    this.#allocate(Math.max(this.length + count, this.#capacity * 2))
    this.bytes.set(bytes.subarray(0, this.length))
  }

  #allocate(capacity: number): void {
    this.bytes = new Uint8Array(new ArrayBuffer(capacity + SLACK_BYTES))
    this.view = new DataView(this.bytes.buffer)
    this.#capacity = capacity
  }
}
