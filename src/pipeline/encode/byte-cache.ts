import { randomInt } from 'node:crypto'
import { ByteColumn } from './byte-column.ts'
import { hashBytes, isSame } from './hash-bytes.ts'

/** Longer keys are not kept: they are rare, and fill the memory of many others. */
const KEY_BYTES_MAX = 512

/** Limit of hash probes, so that crafted keys cannot make look-ups slow. */
const PROBES_MAX = 16

/**
 * Values by texts that are given as bytes, so that a look-up creates no string. When it is full it starts again empty: what
 * is common is back at once. Speed: `task/browser-json-100`.
 */
export class ByteCache<Value> {
  readonly #keys: ByteColumn
  readonly #slots: Int32Array
  readonly #hashes: Int32Array
  readonly #starts: Int32Array
  readonly #lengths: Int32Array
  readonly #seed = randomInt(0x7fff_ffff)
  readonly #entriesMax: number
  readonly #bytesMax: number
  #values: Value[] = []
  #hash = 0

  /** `entriesMax` is a power of two. */
  constructor(entriesMax: number, bytesMax: number) {
    this.#entriesMax = entriesMax
    this.#bytesMax = bytesMax
    this.#keys = new ByteColumn(Math.min(bytesMax, 4096))
    this.#slots = new Int32Array(entriesMax * 2)
    this.#hashes = new Int32Array(entriesMax)
    this.#starts = new Int32Array(entriesMax)
    this.#lengths = new Int32Array(entriesMax)
  }

  /** Number of kept values. */
  get size(): number {
    return this.#values.length
  }

  /** The value of a key; `undefined` when it is not kept. Reads up to three bytes beyond the key. */
  find(view: DataView, start: number, length: number): Value | undefined {
    const hash = hashBytes(view, start, length, this.#seed)
    this.#hash = hash
    const mask = this.#slots.length - 1
    for (let probe = 0; probe < PROBES_MAX; probe++) {
      const entry = (this.#slots[(hash + probe) & mask] ?? 0) - 1
      if (entry < 0) return undefined
      if (this.#hashes[entry] !== hash || this.#lengths[entry] !== length) continue
      if (isSame(this.#keys.view, this.#starts[entry] ?? 0, view, start, length)) return this.#values[entry]
    }
    return undefined
  }

  /** Keeps the value of the key that was looked up last, without success. */
  add(source: { readonly bytes: Uint8Array }, start: number, length: number, value: Value): void {
    if (length > KEY_BYTES_MAX) return
    if (this.#values.length === this.#entriesMax || this.#keys.length + length > this.#bytesMax) this.#clear()
    const mask = this.#slots.length - 1
    for (let probe = 0; probe < PROBES_MAX; probe++) {
      const slot = (this.#hash + probe) & mask
      if (this.#slots[slot] !== 0) continue
      const entry = this.#values.length
      this.#slots[slot] = entry + 1
      this.#hashes[entry] = this.#hash
      this.#starts[entry] = this.#keys.length
      this.#lengths[entry] = length
      this.#keys.raw(source.bytes, start, length)
      this.#values.push(value)
      return
    }
  }

  #clear(): void {
    this.#slots.fill(0)
    this.#values = []
    this.#keys.clear()
  }
}
