import { ByteWriter } from './byte-writer.ts'

/**
 * A `Map(String, V)` column under construction. Native keeps a map as the running count of its pairs (UInt64 a row),
 * then all keys, then all values.
 */
export class MapColumn {
  readonly #ends = new ByteWriter(1024)
  readonly #keys = new ByteWriter(4096)
  /** The values, in the order of the keys; the caller of {@link key} writes one value here. */
  readonly values = new ByteWriter(4096)
  #pairCount = 0

  /** Pairs of all rows. */
  get pairCount(): number {
    return this.#pairCount
  }

  /** Starts a pair of the current row. */
  key(key: string): void {
    this.#keys.text(key)
    this.#pairCount++
  }

  /** Ends the current row. */
  endRow(): void {
    this.#ends.int64(this.#pairCount)
  }

  /** Appends the whole column. */
  writeTo(block: ByteWriter): void {
    block.append(this.#ends)
    block.append(this.#keys)
    block.append(this.values)
  }
}
