import { isUtf8 } from 'node:buffer'
import { randomInt } from 'node:crypto'
import { PROMOTED_ENTRIES, PROMOTED_INDEX } from '../../contract/promoted-properties.ts'
import { checkPropertyKey, SERVER_OWNED_PROPERTIES } from '../event/event-rules.ts'
import { ByteColumn } from './byte-column.ts'
import { hashBytes } from './hash-bytes.ts'
import type { SourceText } from './source-text.ts'

/** Capacity; when it is reached, all keys are cleared and added again. */
const KEYS_MAX = 4096

/** Keys that one row may add: its own and those of enrichment. */
const ROW_KEYS_MAX = 512

const SLOTS = KEYS_MAX * 2

/** Limit of hash probes, so that crafted keys cannot make look-ups slow; beyond it the caller takes its slow path. */
const PROBES_MAX = 32

const GENERATION_MAX = 0x3fff_ffff

/** Usually follows a key in JSON; stored after each key, so that both are compared at once. */
const KEY_END = '":'

/** Ids that mean "no key yet" in the chain of predictions. */
export const CHAIN_STARTS = { auto: 0, custom: 1 } as const

/** Id of the first promoted property; the others follow in the order of their columns. */
export const PROMOTED_ID_FIRST = Object.keys(CHAIN_STARTS).length

/** Facts about a key, as bits of {@link PropertyKeys.flags}. */
export const KEY_FLAGS = { auto: 1, serverOwned: 2, digits: 4 } as const

/**
 * Interns property keys: each has a small id, so that the keys of a row are compared, checked and copied without creating
 * strings. Also records the successor of each key, because the next row usually has the same keys.
 * Speed: `decode/json-batch-100`, `decode/binary-batch-100`.
 */
export class PropertyKeys {
  /** All keys: varint length, the key, `":`. */
  readonly native = new ByteColumn(65_536)
  /** Offsets of the keys' varints in {@link native}. */
  readonly starts = new Int32Array(KEYS_MAX)
  /** Offsets of the keys themselves in {@link native}. */
  readonly offsets = new Int32Array(KEYS_MAX)
  /** Byte lengths of the keys. */
  readonly lengths = new Int32Array(KEYS_MAX)
  readonly flags = new Uint8Array(KEYS_MAX)
  /** Index of the promoted column, or -1. */
  readonly promoted = new Int8Array(KEYS_MAX)
  /** The last successor of each key. */
  readonly next = new Int32Array(KEYS_MAX)
  readonly #hashes = new Int32Array(KEYS_MAX)
  readonly #slots = new Int32Array(SLOTS)
  readonly #rowOf = new Int32Array(KEYS_MAX)
  readonly #seed = randomInt(0x7fff_ffff)
  readonly #ids = new Map<string, number>()
  #generation = 0
  #count = 0

  constructor() {
    this.#clear()
  }

  /** Starts a row without keys. */
  startRow(): void {
    if (this.#count > KEYS_MAX - ROW_KEYS_MAX) this.#clear()
    if (++this.#generation <= GENERATION_MAX) return
    this.#generation = 1
    this.#rowOf.fill(0)
  }

  /** Marks a key as seen in this row; returns false when it already was. */
  see(id: number): boolean {
    if (this.#rowOf[id] === this.#generation) return false
    this.#rowOf[id] = this.#generation
    return true
  }

  /** Whether this row has the key. */
  isSeen(id: number): boolean {
    return this.#rowOf[id] === this.#generation
  }

  /** Removes a key from this row. */
  unsee(id: number): void {
    this.#rowOf[id] = 0
  }

  /** Id of a key; `undefined` when it is unknown, and so not in this row. */
  idOf(key: string): number | undefined {
    return this.#ids.get(key)
  }

  /** Id of a valid key; adds it when it is new. */
  intern(key: string): number {
    const known = this.#ids.get(key)
    if (known !== undefined) return known
    const bytes = Buffer.from(key)
    const view = new DataView(new ArrayBuffer(bytes.length + 4))
    new Uint8Array(view.buffer).set(bytes)
    return this.#add(key, bytes.length, hashBytes(view, 0, bytes.length, this.#seed))
  }

  /** The text of a key. */
  text(id: number): string {
    const start = this.offsets[id] ?? 0
    return Buffer.from(this.native.bytes.subarray(start, start + (this.lengths[id] ?? 0))).toString('utf8')
  }

  /** Whether the key, a quote and a colon are at `at`; false for keys below 2 bytes. */
  isQuotedAt(id: number, view: DataView, at: number): boolean {
    const known = this.native.view
    const start = this.offsets[id] ?? 0
    const last = (this.lengths[id] ?? 0) + KEY_END.length - 4
    if (last < 0) return false
    for (let offset = 0; offset < last; offset += 4) {
      if (view.getInt32(at + offset, true) !== known.getInt32(start + offset, true)) return false
    }
    return view.getInt32(at + last, true) === known.getInt32(start + last, true)
  }

  /** Whether a one-byte length and the key are at `at`; false for keys that do not have 3 to 127 bytes. */
  isPrefixedAt(id: number, view: DataView, at: number): boolean {
    const length = this.lengths[id] ?? 0
    if (length < 3 || length > 0x7f) return false
    const known = this.native.view
    const start = this.starts[id] ?? 0
    const last = length - 3
    for (let offset = 0; offset < last; offset += 4) {
      if (view.getInt32(at + offset, true) !== known.getInt32(start + offset, true)) return false
    }
    return view.getInt32(at + last, true) === known.getInt32(start + last, true)
  }

  /** True when the `length` bytes at `at` are the key. */
  isKey(id: number, view: DataView, at: number, length: number): boolean {
    if (this.lengths[id] !== length) return false
    const known = this.native.view
    const start = this.offsets[id] ?? 0
    const last = length - 4
    for (let offset = 0; offset < last; offset += 4) {
      if (view.getInt32(at + offset, true) !== known.getInt32(start + offset, true)) return false
    }
    if (last >= 0) return view.getInt32(at + last, true) === known.getInt32(start + last, true)
    const mask = (1 << (length * 8)) - 1
    return ((view.getInt32(at, true) ^ known.getInt32(start, true)) & mask) === 0
  }

  /** Id of a key in the source; -1 when it is invalid, or not found within the probe limit. */
  find(source: SourceText, at: number, length: number): number {
    const hash = hashBytes(source.view, at, length, this.#seed)
    for (let probe = 0; probe < PROBES_MAX; probe++) {
      const id = (this.#slots[(hash + probe) & (SLOTS - 1)] ?? 0) - 1
      if (id < 0) return this.#addFrom(source, at, length, hash)
      if (this.#hashes[id] === hash && this.isKey(id, source.view, at, length)) return id
    }
    return -1
  }

  #addFrom(source: SourceText, at: number, length: number, hash: number): number {
    if (!isUtf8(source.bytes.subarray(at, at + length))) return -1
    const key = source.text(at, length)
    // A key beyond the probe limit is found by its text only.
    const known = this.#ids.get(key)
    if (known !== undefined) return known
    return checkPropertyKey(key, key.startsWith('$') ? 'auto' : 'custom') === undefined
      ? this.#add(key, length, hash)
      : -1
  }

  #add(key: string, length: number, hash: number): number {
    const id = this.#count++
    const native = this.native
    this.starts[id] = native.length
    native.varint(length)
    this.offsets[id] = native.length
    native.reserve(length + KEY_END.length)
    native.length += Buffer.from(native.bytes.buffer).write(key + KEY_END, native.length, 'utf8')
    this.lengths[id] = length
    this.#hashes[id] = hash
    this.flags[id] = classify(key)
    this.promoted[id] = promotedIndexOf(key)
    this.next[id] = 0
    this.#rowOf[id] = 0
    this.#ids.set(key, id)
    for (let probe = 0; probe < PROBES_MAX; probe++) {
      const slot = (hash + probe) & (SLOTS - 1)
      if (this.#slots[slot] !== 0) continue
      this.#slots[slot] = id + 1
      break
    }
    return id
  }

  #clear(): void {
    this.#count = 0
    this.native.length = 0
    this.#ids.clear()
    this.#slots.fill(0)
    // Chain starts match no key: their bytes occur neither in UTF-8 nor in zero padding.
    for (const id of Object.values(CHAIN_STARTS)) {
      this.#count++
      this.starts[id] = this.native.length
      this.offsets[id] = this.native.length
      this.native.int64(-1, -1)
      this.lengths[id] = 1
      this.next[id] = 0
    }
    for (const [property] of PROMOTED_ENTRIES) this.intern(property)
  }
}

function promotedIndexOf(key: string): number {
  return Object.hasOwn(PROMOTED_INDEX, key) ? PROMOTED_INDEX[key as keyof typeof PROMOTED_INDEX] : -1
}

function classify(key: string): number {
  const isAuto = key.startsWith('$') ? KEY_FLAGS.auto : 0
  const isServerOwned = SERVER_OWNED_PROPERTIES.has(key) ? KEY_FLAGS.serverOwned : 0
  return isAuto | isServerOwned | (/^\d+$/.test(key) ? KEY_FLAGS.digits : 0)
}
