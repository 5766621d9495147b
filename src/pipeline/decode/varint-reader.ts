/** Shift of the last byte of a length: longer varints exceed every body. */
const LENGTH_SHIFT_MAX = 21

/** Varint bytes of the seconds until the year 9999. */
const SECONDS_BYTES_MAX = 6

/** Reads varints. Speed: `decode/binary-batch-100`. */
export class VarintReader {
  /** The offset after the varint that was read last. */
  end = 0
  /** Halves of the 64-bit number that was read last. */
  low = 0
  high = 0

  /** Reads a length; returns -1 when it exceeds every body. */
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

  /** Reads a small non-negative number; returns -1 for any other. */
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

  /** Reads any 64-bit number into {@link low} and {@link high}; returns false when it is longer than ten bytes. */
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
