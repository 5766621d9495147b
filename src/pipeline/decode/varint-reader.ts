/** A length of this many varint bytes is beyond every body. */
const LENGTH_SHIFT_MAX = 21

/** Seconds of the years until 9999 have six varint bytes. */
const SECONDS_BYTES_MAX = 6

/** Reads varints and tells where they end. Speed: `decode/binary-batch-100`. */
export class VarintReader {
  /** The offset behind what was read last. */
  end = 0
  /** The halves of the 64-bit number that was read last. */
  low = 0
  high = 0

  /** A length; -1 when it is longer than a body can be. */
  readLength(bytes: Uint8Array, start: number): number {
    const first = bytes[start] ?? 0
    if (first < 0x80) {
      this.end = start + 1
      return first
    }
    let value = first & 0x7f
    let at = start + 1
    for (let shift = 7; shift <= LENGTH_SHIFT_MAX; shift += 7) {
      const byte = bytes[at++] ?? 0
      value |= (byte & 0x7f) << shift
      if (byte < 0x80) {
        this.end = at
        return value
      }
    }
    return -1
  }

  /** A small number that is not negative; -1 when it is another. */
  readSeconds(bytes: Uint8Array, start: number): number {
    let value = 0
    let scale = 1
    for (let at = start; at < start + SECONDS_BYTES_MAX; at++) {
      const byte = bytes[at] ?? 0
      value += (byte & 0x7f) * scale
      if (byte < 0x80) {
        this.end = at + 1
        return value
      }
      scale *= 128
    }
    return -1
  }

  /** Any 64-bit number, into its halves; false when it is longer than ten bytes. */
  readInt64(bytes: Uint8Array, start: number): boolean {
    let low = 0
    let high = 0
    let at = start
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = bytes[at++] ?? 0
      const bits = byte & 0x7f
      if (shift < 28) low |= bits << shift
      else if (shift === 28) {
        low |= bits << 28
        high = bits >> 4
      } else if (shift < 64) high |= bits << (shift - 32)
      if (byte < 0x80) {
        this.low = low
        this.high = high
        this.end = at
        return true
      }
    }
    return false
  }
}
