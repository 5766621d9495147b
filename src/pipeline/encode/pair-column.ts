import { ByteColumn } from './byte-column.ts'
import type { PropertyKeys } from './property-keys.ts'

/** Bytes of a value; `text` values have a varint length before them. */
export type ValueWidth = 1 | 8 | 'text'

const KEPT_NUMBERS = 3

/**
 * A `Map(String, V)` column under construction. Native keeps a map as the running count of its pairs (UInt64 a row), then
 * all keys, then all values. Speed: `decode/json-batch-100`.
 */
export class PairColumn {
  readonly keys = new ByteColumn(16_384)
  /** The values, in the order of the keys; whoever calls {@link key} writes one value here. */
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

  /** Starts a row, and forgets a row that was started and not ended. */
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

  /** Forgets all rows. */
  clear(): void {
    this.#pairCount = 0
    this.keys.clear()
    this.values.clear()
  }

  /** Where the value of a key of the current row starts, or -1. */
  findValue(keys: PropertyKeys, id: number): number {
    return this.#locate(keys, id)?.valueStart ?? -1
  }

  /** Takes the pair of a key out of the current row, if it is there. */
  remove(keys: PropertyKeys, id: number): void {
    const place = this.#locate(keys, id)
    if (place === undefined) return
    cut(this.keys, place.keyStart, place.keyEnd)
    cut(this.values, place.valueStart, place.valueEnd)
    this.#pairCount--
  }

  /** Writes the column's state into `numbers` from `at`, and answers where the next state goes. */
  save(numbers: Int32Array, at: number): number {
    numbers[at] = this.#pairCount
    numbers[at + 1] = this.keys.length
    numbers[at + 2] = this.values.length
    return at + KEPT_NUMBERS
  }

  /** Goes back to a saved state. */
  restore(numbers: Int32Array, at: number): number {
    this.#pairCount = numbers[at] ?? 0
    this.keys.length = numbers[at + 1] ?? 0
    this.values.length = numbers[at + 2] ?? 0
    return at + KEPT_NUMBERS
  }

  #locate(keys: PropertyKeys, id: number): PairPlace | undefined {
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

interface PairPlace {
  readonly keyStart: number
  readonly keyEnd: number
  readonly valueStart: number
  readonly valueEnd: number
}

/** Where the bytes of a text start and end whose varint length stands at `at`. */
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
