import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf'
import { WireType } from '@bufbuild/protobuf/wire'
import { tooDeep, tooLong, tooManyElements, tooManyObjects } from './json-bounds.ts'
import type { MessageBounds } from './message-bounds.ts'

const MALFORMED = 'is not valid protobuf of this method'

/** Bytes of the longest varint of 64 bits, and of the 32 bits of a tag or a length. */
const VARINT_BYTES_MAX = 10
const SHORT_VARINT_BYTES_MAX = 5

/** The plan for reading a field: a message by its own fields, everything else by its wire type. */
interface Plan {
  readonly wireType: WireType
  /** A list whose items may also be packed into one field. */
  readonly isPackable: boolean
  readonly fields?: () => Fields
  /** An entry of a map adds no level of nesting, as in protobuf-es and in JSON. */
  readonly isEntry?: true
}

type Fields = ReadonlyMap<number, Plan>

/**
 * Describes the first bound that a protobuf message exceeds, as a predicate that follows its name; `undefined` when it exceeds
 * none. Makes one pass over the bytes by the fields of the schema. It is stricter than protobuf-es where the two could read
 * different messages: a field must have its declared wire type, and a length must end within its message.
 */
export function findBinaryExcess(
  schema: DescMessage,
  bytes: Uint8Array,
  bounds: MessageBounds,
): string | undefined {
  return new BinaryWalk(bytes, bounds).find(schema)
}

class BinaryWalk {
  readonly #bytes: Uint8Array
  readonly #bounds: MessageBounds
  #at = 0
  #objects = 0
  #elements = 0

  constructor(bytes: Uint8Array, bounds: MessageBounds) {
    this.#bytes = bytes
    this.#bounds = bounds
  }

  find(schema: DescMessage): string | undefined {
    return this.#readMessage(fieldsOf(schema), this.#bytes.length, 1)
  }

  #readMessage(fields: Fields, end: number, depth: number): string | undefined {
    if (depth > this.#bounds.depthMax) return tooDeep(this.#bounds)
    if (++this.#objects > this.#bounds.objectsMax) return tooManyObjects(this.#bounds)
    while (this.#at < end) {
      const problem = this.#readField(fields, end, depth)
      if (problem !== undefined) return problem
    }
    return undefined
  }

  #readField(fields: Fields, end: number, depth: number): string | undefined {
    if (++this.#elements > this.#bounds.elementsMax) return tooManyElements(this.#bounds)
    const tag = this.#readShortVarint(end)
    const number = Math.floor(tag / 8)
    const wireType = tag % 8
    if (tag < 0 || number === 0) return MALFORMED
    const plan = fields.get(number)
    if (plan === undefined) {
      // protobuf-es stores each unknown field as an object.
      if (++this.#objects > this.#bounds.objectsMax) return tooManyObjects(this.#bounds)
      return this.#skip(number, wireType, end, depth)
    }
    if (wireType === plan.wireType) {
      if (plan.fields === undefined || wireType !== WireType.LengthDelimited)
        return this.#skip(number, wireType, end, depth)
      const inner = this.#readLength(end)
      return inner < 0 ? MALFORMED : this.#readMessage(plan.fields(), inner, plan.isEntry ? depth : depth + 1)
    }
    if (plan.isPackable && wireType === WireType.LengthDelimited) return this.#readPacked(plan.wireType, end)
    return MALFORMED
  }

  #readPacked(itemType: WireType, end: number): string | undefined {
    const packedEnd = this.#readLength(end)
    if (packedEnd < 0) return MALFORMED
    if (itemType !== WireType.Varint) {
      this.#elements += (packedEnd - this.#at) / (itemType === WireType.Bit64 ? 8 : 4)
      this.#at = packedEnd
    }
    while (this.#at < packedEnd) {
      if (!this.#skipVarint(packedEnd)) return MALFORMED
      if (++this.#elements > this.#bounds.elementsMax) break
    }
    return this.#elements > this.#bounds.elementsMax ? tooManyElements(this.#bounds) : undefined
  }

  #skip(number: number, wireType: WireType, end: number, depth: number): string | undefined {
    switch (wireType) {
      case WireType.Varint:
        return this.#skipVarint(end) ? undefined : MALFORMED
      case WireType.Bit64:
        return this.#advance(8, end)
      case WireType.Bit32:
        return this.#advance(4, end)
      case WireType.LengthDelimited: {
        const start = this.#at
        const textEnd = this.#readLength(end)
        if (textEnd < 0) return MALFORMED
        this.#at = textEnd
        return textEnd - start > this.#bounds.textBytesMax ? tooLong(this.#bounds) : undefined
      }
      case WireType.StartGroup:
        return this.#skipGroup(number, end, depth + 1)
      default:
        return MALFORMED
    }
  }

  #skipGroup(number: number, end: number, depth: number): string | undefined {
    if (depth > this.#bounds.depthMax) return tooDeep(this.#bounds)
    while (this.#at < end) {
      if (++this.#elements > this.#bounds.elementsMax) return tooManyElements(this.#bounds)
      const tag = this.#readShortVarint(end)
      const inner = Math.floor(tag / 8)
      if (tag < 0 || inner === 0) return MALFORMED
      if (tag % 8 === WireType.EndGroup) return inner === number ? undefined : MALFORMED
      const problem = this.#skip(inner, tag % 8, end, depth)
      if (problem !== undefined) return problem
    }
    return MALFORMED
  }

  #advance(byteCount: number, end: number): string | undefined {
    this.#at += byteCount
    return this.#at > end ? MALFORMED : undefined
  }

  /** Reads a length and returns the offset of its end; -1 when that is beyond the enclosing message. */
  #readLength(end: number): number {
    const length = this.#readShortVarint(end)
    return length < 0 || length > end - this.#at ? -1 : this.#at + length
  }

  /** A varint of 32 bits; -1 when it has more, which protobuf-es would drop. */
  #readShortVarint(end: number): number {
    let value = 0
    let unit = 1
    for (let count = 0; count < SHORT_VARINT_BYTES_MAX && this.#at < end; count++) {
      const byte = this.#bytes[this.#at++] ?? 0
      value += (byte & 0x7f) * unit
      if (byte < 0x80) return value < 2 ** 32 ? value : -1
      unit *= 128
    }
    return -1
  }

  #skipVarint(end: number): boolean {
    for (let count = 0; count < VARINT_BYTES_MAX && this.#at < end; count++) {
      if ((this.#bytes[this.#at++] ?? 0) < 0x80) return true
    }
    return false
  }
}

const FIELDS = new WeakMap<DescMessage, Fields>()

function fieldsOf(schema: DescMessage): Fields {
  const known = FIELDS.get(schema)
  if (known !== undefined) return known
  const fields = new Map(schema.fields.map((field) => [field.number, planField(field)]))
  FIELDS.set(schema, fields)
  return fields
}

function planField(field: DescField): Plan {
  if (field.fieldKind === 'map') return planMap(field)
  const { message } = field
  if (message !== undefined) return planMessage(message, field.delimitedEncoding)
  const wireType = wireTypeOf(field.scalar)
  const isPackable = field.fieldKind === 'list' && wireType !== WireType.LengthDelimited
  return { wireType, isPackable }
}

function planMessage(message: DescMessage, isGroup: boolean): Plan {
  const wireType = isGroup ? WireType.StartGroup : WireType.LengthDelimited
  return { wireType, isPackable: false, fields: () => fieldsOf(message) }
}

/** An entry of a map is a message of a key and a value. */
function planMap(field: DescField & { readonly fieldKind: 'map' }): Plan {
  const { message } = field
  const key: Plan = { wireType: wireTypeOf(field.mapKey), isPackable: false }
  const value =
    message === undefined
      ? { wireType: wireTypeOf(field.scalar), isPackable: false }
      : planMessage(message, false)
  const entry: Fields = new Map([
    [1, key],
    [2, value],
  ])
  return { wireType: WireType.LengthDelimited, isPackable: false, fields: () => entry, isEntry: true }
}

/** An enum, which has no scalar type, is a varint. */
function wireTypeOf(scalar: ScalarType | undefined): WireType {
  switch (scalar) {
    case ScalarType.STRING:
    case ScalarType.BYTES:
      return WireType.LengthDelimited
    case ScalarType.DOUBLE:
    case ScalarType.FIXED64:
    case ScalarType.SFIXED64:
      return WireType.Bit64
    case ScalarType.FLOAT:
    case ScalarType.FIXED32:
    case ScalarType.SFIXED32:
      return WireType.Bit32
    default:
      return WireType.Varint
  }
}
