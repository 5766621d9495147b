import { isUtf8 } from 'node:buffer'
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire'

/** Nesting limit of groups, which only unknown fields can have; other protobuf decoders use the same. */
const GROUP_DEPTH_MAX = 100

/** The bytes are not a valid message of the expected type. Never leaves the decoder. */
export class WireError extends Error {}

/** One field of a message; the reader is positioned at its value. */
export interface WireField {
  readonly number: number
  readonly reader: WireReader
}

/**
 * Reads the fields of one message strictly: lengths stay within the enclosing message, and fields have the wire type
 * of their declaration. Throws {@link WireError}.
 */
export class WireReader {
  readonly #reader: BinaryReader
  readonly #bytes: Uint8Array
  #wireType: WireType = WireType.Varint

  private constructor(bytes: Uint8Array) {
    this.#reader = new BinaryReader(bytes)
    this.#bytes = bytes
  }

  /** Calls `take` with each field; it returns false for an unknown field, without reading it. */
  static readFields(bytes: Uint8Array, take: (field: WireField) => boolean): void {
    const wire = new WireReader(bytes)
    while (wire.#reader.pos < wire.#reader.len) {
      const [number, wireType] = orWireError(() => wire.#reader.tag())
      wire.#wireType = wireType
      if (!take({ number, reader: wire })) wire.#skip(number, wireType, GROUP_DEPTH_MAX)
    }
  }

  /** The bytes of a message or text. */
  bytes(): Uint8Array {
    this.#expect(WireType.LengthDelimited)
    return this.#delimited()
  }

  /** Text; `undefined` when it is not UTF-8. */
  text(): string | undefined {
    const bytes = this.bytes()
    return isUtf8(bytes)
      ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8')
      : undefined
  }

  /** A signed 64-bit varint. */
  int64(): bigint {
    this.#expect(WireType.Varint)
    return this.#varint()
  }

  /** A signed 32-bit varint: the low half of a longer one. */
  int32(): number {
    return Number(BigInt.asIntN(32, this.int64()))
  }

  /** A Boolean: anything but zero is true. */
  bool(): boolean {
    return this.int64() !== 0n
  }

  /** A double. */
  double(): number {
    this.#expect(WireType.Bit64)
    return orWireError(() => this.#reader.double())
  }

  #expect(wireType: WireType): void {
    if (this.#wireType !== wireType) throw new WireError('a field has the wrong wire type')
  }

  #varint(): bigint {
    return BigInt.asIntN(64, BigInt(orWireError(() => this.#reader.int64())))
  }

  #delimited(): Uint8Array {
    // Read as 64 bits: the reader's own method drops the high bits of a length.
    const length = Number(BigInt.asUintN(64, this.#varint()))
    return this.#advance(length)
  }

  #advance(length: number): Uint8Array {
    const { pos, len } = this.#reader
    if (length > len - pos) throw new WireError('the message is truncated')
    this.#reader.pos = pos + length
    return this.#bytes.subarray(pos, pos + length)
  }

  #skip(number: number, wireType: WireType, depth: number): void {
    if (wireType === WireType.Varint) this.#varint()
    else if (wireType === WireType.Bit64) this.#advance(8)
    else if (wireType === WireType.Bit32) this.#advance(4)
    else if (wireType === WireType.LengthDelimited) this.#delimited()
    else if (wireType === WireType.StartGroup && depth > 0) this.#skipGroup(number, depth - 1)
    else throw new WireError('a group ends that did not start, or groups are too deep')
  }

  #skipGroup(number: number, depth: number): void {
    for (;;) {
      const [inner, wireType] = orWireError(() => this.#reader.tag())
      if (wireType !== WireType.EndGroup) this.#skip(inner, wireType, depth)
      else if (inner === number) return
      else throw new WireError('a group ends that did not start')
    }
  }
}

function orWireError<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new WireError('the message is malformed', { cause: error })
  }
}
