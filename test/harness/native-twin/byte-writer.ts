/** Texts up to this length are written by a loop: below it, the call into native code costs more than it saves. */
const LOOP_LENGTH_MAX = 32

/**
 * A growing byte buffer with the primitives of ClickHouse's Native format, all little-endian.
 * Speed matters here: benchmark cases `encode/*`.
 */
export class ByteWriter {
  #bytes: Buffer
  #length = 0

  constructor(initialBytes: number) {
    this.#bytes = Buffer.allocUnsafeSlow(initialBytes)
  }

  /** Bytes written so far. */
  get length(): number {
    return this.#length
  }

  /** The written bytes; valid until the next write. */
  view(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }

  /** Appends one byte. */
  byte(value: number): void {
    this.#reserve(1)
    this.#bytes[this.#length++] = value
  }

  /** Appends an unsigned LEB128 number. */
  varint(value: number): void {
    this.#reserve(5)
    let rest = value
    while (rest >= 0x80) {
      this.#bytes[this.#length++] = (rest & 0x7f) | 0x80
      rest >>>= 7
    }
    this.#bytes[this.#length++] = rest
  }

  /** Appends a UInt32. */
  uint32(value: number): void {
    this.#reserve(4)
    this.#length = this.#bytes.writeUInt32LE(value, this.#length)
  }

  /** Appends a whole number as Int64; exact within the safe integers. */
  int64(value: number): void {
    this.#reserve(8)
    const high = Math.floor(value / 0x1_0000_0000)
    this.#bytes.writeUInt32LE(value - high * 0x1_0000_0000, this.#length)
    this.#length = this.#bytes.writeInt32LE(high, this.#length + 4)
  }

  /** Appends any Int64. */
  bigint64(value: bigint): void {
    this.#reserve(8)
    this.#length = this.#bytes.writeBigInt64LE(value, this.#length)
  }

  /** Appends a Float64. */
  float64(value: number): void {
    this.#reserve(8)
    this.#length = this.#bytes.writeDoubleLE(value, this.#length)
  }

  /** Appends a text as UTF-8, its byte length before it. */
  text(value: string): void {
    const length = value.length
    this.#reserve(5 + length * 3)
    if (length <= LOOP_LENGTH_MAX && this.#ascii(value)) return
    const byteLength = Buffer.byteLength(value)
    this.varint(byteLength)
    this.#bytes.write(value, this.#length, 'utf8')
    this.#length += byteLength
  }

  /** Appends UUID text as ClickHouse keeps it: two UInt64, the first half first. */
  uuid(text: string): void {
    this.#reserve(16)
    this.#bytes.write(text.replaceAll('-', ''), this.#length, 'hex')
    this.#bytes.subarray(this.#length, this.#length + 8).reverse()
    this.#bytes.subarray(this.#length + 8, this.#length + 16).reverse()
    this.#length += 16
  }

  /** Appends what another writer holds. */
  append(other: ByteWriter): void {
    this.#reserve(other.#length)
    other.#bytes.copy(this.#bytes, this.#length, 0, other.#length)
    this.#length += other.#length
  }

  /** Writes a short text whose characters are all ASCII; answers false, with nothing written, when one is not. */
  #ascii(value: string): boolean {
    const start = this.#length
    this.#bytes[start] = value.length
    for (let index = 0; index < value.length; index++) {
      const code = value.charCodeAt(index)
      if (code >= 0x80) return false
      this.#bytes[start + 1 + index] = code
    }
    this.#length = start + 1 + value.length
    return true
  }

  #reserve(count: number): void {
    const needed = this.#length + count
    if (needed <= this.#bytes.length) return
    const grown = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2))
    this.#bytes.copy(grown, 0, 0, this.#length)
    this.#bytes = grown
  }
}
