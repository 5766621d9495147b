import type { ByteColumn } from './byte-column.ts'
import type { BlockColumns } from './encode-block.ts'

/** Slots for recent event ids: half a megabyte, or one second of a busy worker. A power of two. */
const SLOTS = 2 ** 16

/** The columns of a block that {@link RecentEventIds} reads. */
export type IdentityColumns = Pick<BlockColumns, 'projects' | 'kinds' | 'times' | 'distinctIds' | 'eventIds'>

/**
 * Finds events that reuse a recent id of the same project with another kind, distinct id or time: a bug in the client, because
 * such events are stored separately. A hash of the id selects a slot, which holds a second hash of the id and one of the
 * content, until another id overwrites it. It misses older clashes and those between workers, and mistakes two ids for one
 * about once in 2^32 events.
 *
 * Speed: `clash/batch-100`. No objects and no closures for an event.
 */
export class RecentEventIds {
  /** Tag and content of each slot; content 0 means empty. */
  readonly #slots = new Int32Array(SLOTS * 2)

  /** Counts the clashes in the first `rowCount` rows, and remembers all of them. */
  countClashes({ projects, kinds, times, distinctIds, eventIds }: IdentityColumns, rowCount: number): number {
    const slots = this.#slots
    let clashes = 0
    let kindAt = 0
    let distinctAt = 0
    for (let row = 0; row < rowCount; row++) {
      const kindLength = textLength(kinds, kindAt)
      const kindStart = kindAt + prefixBytes(kindLength)
      kindAt = kindStart + kindLength
      const distinctLength = textLength(distinctIds, distinctAt)
      const distinctStart = distinctAt + prefixBytes(distinctLength)
      distinctAt = distinctStart + distinctLength
      let content = hashText(kinds.view, kindStart, kindLength, times[row * 2] ?? 0)
      content = hashText(distinctIds.view, distinctStart, distinctLength, content ^ (times[row * 2 + 1] ?? 0))
      content |= 1
      const word0 = (eventIds[row * 4] ?? 0) ^ (projects[row] ?? 0)
      const word1 = eventIds[row * 4 + 1] ?? 0
      const word2 = eventIds[row * 4 + 2] ?? 0
      const word3 = eventIds[row * 4 + 3] ?? 0
      const hash = mix(mix(mix(word0, word1), word2), word3)
      const tag = mix(mix(mix(word3, word2), word1), word0)
      const slot = (hash >>> 16) * 2
      if (slots[slot] === tag && slots[slot + 1] !== content && slots[slot + 1] !== 0) clashes++
      slots[slot] = tag
      slots[slot + 1] = content
    }
    return clashes
  }
}

/** Length of a text from the varint before it; texts of these columns have less than 2^21 bytes. */
function textLength({ bytes }: ByteColumn, at: number): number {
  const first = bytes[at] ?? 0
  if (first < 0x80) return first
  const second = bytes[at + 1] ?? 0
  if (second < 0x80) return (first & 0x7f) | (second << 7)
  return (first & 0x7f) | ((second & 0x7f) << 7) | ((bytes[at + 2] ?? 0) << 14)
}

function prefixBytes(length: number): number {
  return length < 0x80 ? 1 : length < 0x4000 ? 2 : 3
}

/** Hashes by words; a column has room to read one beyond its last text. */
function hashText(view: DataView, start: number, length: number, seed: number): number {
  let hash = mix(seed, length)
  const words = length & ~3
  for (let offset = 0; offset < words; offset += 4) hash = mix(hash, view.getInt32(start + offset, true))
  const rest = length - words
  if (rest === 0) return hash
  return mix(hash, view.getInt32(start + words, true) & ((1 << (rest * 8)) - 1))
}

function mix(hash: number, word: number): number {
  const product = Math.imul(hash ^ word, 0x9e3779b1)
  return product ^ (product >>> 15)
}
