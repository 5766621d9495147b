import { LIMITS } from '../../kernel/limits.ts'

/** The scanners' checks on bytes; the rules themselves are in event-rules.ts. Speed: `decode/json-batch-100`. */

/** Bytes of UUID text. */
export const UUID_BYTES = 36

const HYPHEN = 0x2d
const DOT = 0x2e

/** Writes the UUID text at `at` as the four words of a row; false when it is invalid. */
export function readUuid(view: DataView, at: number, ids: Int32Array, row: number): boolean {
  const hyphens =
    (view.getUint8(at + 8) ^ HYPHEN) |
    (view.getUint8(at + 13) ^ HYPHEN) |
    (view.getUint8(at + 18) ^ HYPHEN) |
    (view.getUint8(at + 23) ^ HYPHEN)
  const a0 = hexPair(view, at)
  const a1 = hexPair(view, at + 2)
  const a2 = hexPair(view, at + 4)
  const a3 = hexPair(view, at + 6)
  const b0 = hexPair(view, at + 9)
  const b1 = hexPair(view, at + 11)
  const b2 = hexPair(view, at + 14)
  const b3 = hexPair(view, at + 16)
  const c0 = hexPair(view, at + 19)
  const c1 = hexPair(view, at + 21)
  const c2 = hexPair(view, at + 24)
  const c3 = hexPair(view, at + 26)
  const d0 = hexPair(view, at + 28)
  const d1 = hexPair(view, at + 30)
  const d2 = hexPair(view, at + 32)
  const d3 = hexPair(view, at + 34)
  const bad = a0 | a1 | a2 | a3 | b0 | b1 | b2 | b3 | c0 | c1 | c2 | c3 | d0 | d1 | d2 | d3
  const word = row * 4
  ids[word] = (b0 << 24) | (b1 << 16) | (b2 << 8) | b3
  ids[word + 1] = (a0 << 24) | (a1 << 16) | (a2 << 8) | a3
  ids[word + 2] = (d0 << 24) | (d1 << 16) | (d2 << 8) | d3
  ids[word + 3] = (c0 << 24) | (c1 << 16) | (c2 << 8) | c3
  return bad >= 0 && hyphens === 0
}

function hexPair(view: DataView, at: number): number {
  return HEX_PAIRS[view.getUint16(at, true)] ?? -1
}

/** End of a run of characters that are allowed in a kind, at most `limit`. */
export function findKindEnd(bytes: Uint8Array, start: number, limit: number): number {
  let at = start
  while (at < limit && KIND_BYTES[bytes[at] ?? 0] === 1) at++
  return at
}

/** Whether a kind of allowed characters has a valid length and is not reserved. */
export function isKindAllowed(view: DataView, start: number, length: number): boolean {
  if (length === 0 || length > LIMITS.kindCodePointsMax) return false
  const isReserved =
    length >= 8 &&
    view.getInt32(start, true) === SERV &&
    (view.getInt32(start + 4, true) & 0xffffff) === ICE &&
    view.getUint8(start + 7) === DOT
  return !isReserved
}

const SERV = word('serv')
const ICE = word('ice\0')
const COOK = word('cook')
const IELE = word('iele')
const SS = word('ss-\0')

/** Whether a distinct id in valid UTF-8 has a valid length and is not a derived one. */
export function isDistinctIdAllowed(view: DataView, start: number, length: number): boolean {
  if (length === 0) return false
  const isServerOwned =
    length >= 11 &&
    view.getInt32(start, true) === COOK &&
    view.getInt32(start + 4, true) === IELE &&
    (view.getInt32(start + 8, true) & 0xffffff) === SS
  return !isServerOwned && isShortText(view, start, length, LIMITS.distinctIdCodePointsMax)
}

/** Whether a text in valid UTF-8 has at most `max` code points. */
export function isShortText(view: DataView, start: number, length: number, max: number): boolean {
  if (length <= max) return true
  if (length > max * 4) return false
  let count = 0
  for (let at = start; at < start + length; at++) {
    if ((view.getUint8(at) & 0xc0) !== 0x80) count++
  }
  return count <= max
}

/** Four ASCII characters as the 32-bit word that a DataView reads. */
export function word(text: string): number {
  return Buffer.from(text, 'latin1').readInt32LE(0)
}

/** Values of pairs of hexadecimal digits by their two bytes, read as a little-endian number; -1 for all others. */
const HEX_PAIRS: Int16Array = buildHexPairs()

/** 1 for the bytes that are allowed in a kind. */
const KIND_BYTES: Uint8Array = buildKindBytes()

function buildHexPairs(): Int16Array {
  const pairs = new Int16Array(65_536).fill(-1)
  const digits = [...'0123456789abcdefABCDEF']
  for (const high of digits) {
    for (const low of digits) {
      pairs[high.charCodeAt(0) | (low.charCodeAt(0) << 8)] = Number.parseInt(high + low, 16)
    }
  }
  return pairs
}

function buildKindBytes(): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) =>
    /[a-zA-Z0-9_.-]/.test(String.fromCharCode(byte)) ? 1 : 0,
  )
}
