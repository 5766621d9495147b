import { ByteColumn } from './byte-column.ts'
import type { PropertyKeys } from './property-keys.ts'

/** Bytes of a value; `text` values have a varint length prefix. */
export type ValueWidth = 1 | 8 | 'text'

const SAVED_NUMBERS = 3

/**
 * A `Map(String, V)` column under construction. Native keeps a map as the running count of its pairs (UInt64 a row), then
 * all keys, then all values. Speed: `decode/json-batch-100`.
 */
export class PairColumn {
  readonly keys = new ByteColumn(16_384)
  /** The values, in the order of the keys; the caller of {@link key} appends one value here. */
  readonly values = new ByteColumn(16_384)
  readonly width: ValueWidth
  /** Running pair counts, low and high half, two numbers a row. */
  ends: Uint32Array = new Uint32Array(256)
  #pairCount = 0
  #rowPairs = 0
  #rowKeys = 0
  #rowValues = 0

  constructor(width: ValueWidth) {
    this.width = width
  }

  /** Starts a row, and discards a row that was not ended. */
  startRow(): void {
    this.#rowPairs = this.#pairCount
    this.#rowKeys = this.keys.length
    this.#rowValues = this.values.length
  }

  /** Starts a pair of the current row. */
  key(keys: PropertyKeys, id: number): void {
    const start = keys.starts[id] ?? 0
    const offset = keys.offsets[id] ?? 0
    this.keys.copy(keys.native, start, offset - start + (keys.lengths[id] ?? 0))
    this.#pairCount++
  }

  /** Ends a row; `ends` has room for it. */
  endRow(row: number): void {
    this.ends[row * 2] = this.#pairCount
  }

  /** Makes room for rows. */
  reserveRows(rowCount: number): void {
    const grown = new Uint32Array(rowCount * 2)
    grown.set(this.ends)
    this.ends = grown
  }

  /** Removes all rows. */
  clear(): void {
    this.#pairCount = 0
    this.keys.clear()
    this.values.clear()
  }

  /** Start of a key's value in the current row, or -1. */
  findValue(keys: PropertyKeys, id: number): number {
    return this.#locate(keys, id)?.valueStart ?? -1
  }

  /** Removes the pair of a key from the current row, if present. */
  remove(keys: PropertyKeys, id: number): void {
    const pair = this.#locate(keys, id)
    if (pair === undefined) return
    cut(this.keys, pair.keyStart, pair.keyEnd)
    cut(this.values, pair.valueStart, pair.valueEnd)
    this.#pairCount--
  }

  /** Writes the column's state into `numbers` from `at`, and returns the index after it. */
  save(numbers: Int32Array, at: number): number {
    numbers[at] = this.#pairCount
    numbers[at + 1] = this.keys.length
    numbers[at + 2] = this.values.length
    return at + SAVED_NUMBERS
  }

  /** Restores a saved state. */
  restore(numbers: Int32Array, at: number): number {
    this.#pairCount = numbers[at] ?? 0
    this.keys.length = numbers[at + 1] ?? 0
    this.values.length = numbers[at + 2] ?? 0
    return at + SAVED_NUMBERS
  }

  #locate(keys: PropertyKeys, id: number): PairSpan | undefined {
    let keyStart = this.#rowKeys
    let valueStart = this.#rowValues
    for (let pair = this.#rowPairs; pair < this.#pairCount; pair++) {
      const key = textAt(this.keys, keyStart)
      const valueEnd = this.width === 'text' ? textAt(this.values, valueStart).end : valueStart + this.width
      if (keys.isKey(id, this.keys.view, key.start, key.end - key.start)) {
        return { keyStart, keyEnd: key.end, valueStart, valueEnd }
      }
      keyStart = key.end
      valueStart = valueEnd
    }
    return undefined
  }
}

interface PairSpan {
  readonly keyStart: number
  readonly keyEnd: number
  readonly valueStart: number
  readonly valueEnd: number
}

/** Start and end of the text whose varint length is at `at`. */
export function textAt(column: ByteColumn, at: number): { readonly start: number; readonly end: number } {
  let length = 0
  let start = at
  for (let shift = 0; ; shift += 7) {
    const byte = column.bytes[start++] ?? 0
    length += (byte & 0x7f) * 2 ** shift
    if (byte < 0x80) return { start, end: start + length }
  }
}

function cut(column: ByteColumn, start: number, end: number): void {
  column.bytes.copyWithin(start, end, column.length)
  column.length -= end - start
}
