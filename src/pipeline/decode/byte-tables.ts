/** Values of pairs of hexadecimal digits by their two bytes, read as a little-endian number; -1 for all others. */
export const HEX_PAIRS: Int16Array = buildHexPairs()

/** 1 for the bytes that a kind may have. */
export const KIND_BYTES: Uint8Array = buildKindBytes()

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
