import { isUtf8 } from 'node:buffer'
import { LIMITS } from '../../kernel/limits.ts'
import type { EventColumns, RowContext } from '../encode/event-columns.ts'
import type { PropertyColumns } from '../encode/property-columns.ts'
import { CHAIN_STARTS, KEY_FLAGS, type PropertyKeys } from '../encode/property-keys.ts'
import type { SourceText } from '../encode/source-text.ts'
import { checkOccurTime, checkPropertyTime } from '../event/event-rules.ts'
import {
  findKindEnd,
  isDistinctIdAllowed,
  isKindAllowed,
  isShortText,
  readUuid,
  UUID_BYTES,
} from './field-bytes.ts'
import { VarintReader } from './varint-reader.ts'

/** Tags of one byte: the field number and the wire type of its declaration; field numbers are in binary-slow.ts. */
const TAG = {
  eventId: 0x0a,
  autoProperties: 0x12,
  customProperties: 0x1a,
  distinctId: 0x22,
  kind: 0x2a,
  occurTime: 0x32,
  sessionId: 0x3a,
  cookieless: 0x40,
} as const
const EVENTS_TAG = 0x0a
const KEY_TAG = 0x0a
const VALUE_TAG = 0x12
const VARIANT_TAG = { string: 0x0a, int: 0x10, double: 0x19, bool: 0x20, time: 0x2a } as const
const SECONDS_TAG = 0x08
const NANOS_TAG = 0x10

const NANOS_END = 1_000_000_000

/** The singular fields of an event, as bits: each may occur once. */
const FIELD = { eventId: 1, kind: 2, occurTime: 4, distinctId: 8, sessionId: 16, cookieless: 32 } as const
const REQUIRED = FIELD.eventId | FIELD.kind | FIELD.occurTime
const IDENTITY = FIELD.distinctId | FIELD.sessionId

/**
 * Scans a protobuf `BatchCreateRequest` straight from its bytes into columns. It accepts the canonical form that encoders
 * write and gives up on everything else, such as repeated or unknown fields and longer tags: methods return the offset after
 * what they read, or -1. It has no rules of its own: the slow decoder accepts every body that it accepts, with the same
 * result. A read beyond the end of a message hits the body or its zero padding, and fails a bounds check before use.
 * Speed: `decode/binary-batch-100`.
 */
export class BinaryScanner {
  readonly #columns: EventColumns
  readonly #properties: PropertyColumns
  readonly #keys: PropertyKeys
  readonly #source: SourceText
  readonly #varints = new VarintReader()
  /** Start of the message or text whose length was read last. */
  #start = 0
  #timeMs = 0
  #isCookieless = false
  #keyCount = 0
  /** Id of the key that was read last. */
  #id = 0
  #previousAuto = 0
  #previousCustom = 0

  constructor(columns: EventColumns) {
    this.#columns = columns
    this.#properties = columns.properties
    this.#keys = columns.properties.keys
    this.#source = columns.properties.source
  }

  /** Scans the body in the source; returns the number of events, or -1. */
  scan(length: number, context: RowContext): number {
    const { bytes } = this.#source
    let at = 0
    let count = 0
    while (at < length) {
      if (bytes[at] !== EVENTS_TAG || count === LIMITS.batchEventsMax) return -1
      const end = this.#delimited(at + 1, length)
      if (end < 0 || !this.#scanEvent(this.#start, end, context)) return -1
      at = end
      count++
    }
    return count
  }

  /** Reads a length and sets the start of the delimited bytes; returns their end. */
  #delimited(at: number, limit: number): number {
    const { bytes } = this.#source
    const short = bytes[at] ?? 0
    if (short < 0x80) {
      this.#start = at + 1
      return this.#start + short > limit ? -1 : this.#start + short
    }
    const length = this.#varints.readLength(bytes, at)
    this.#start = this.#varints.end
    const end = this.#start + length
    return length < 0 || end > limit ? -1 : end
  }

  #scanEvent(start: number, end: number, context: RowContext): boolean {
    const { bytes } = this.#source
    this.#columns.startRow()
    this.#isCookieless = false
    this.#keyCount = 0
    this.#previousAuto = CHAIN_STARTS.auto
    this.#previousCustom = CHAIN_STARTS.custom
    let seen = 0
    let at = start
    while (at < end) {
      const tag = bytes[at] ?? 0
      if (tag === TAG.autoProperties || tag === TAG.customProperties) {
        at = this.#property(tag, at + 1, end)
      } else {
        const field = fieldOf(tag)
        if (field === 0 || (seen & field) !== 0) return false
        seen |= field
        at = this.#fieldValue(field, at + 1, end)
      }
      if (at < 0) return false
    }
    if (at !== end || (seen & REQUIRED) !== REQUIRED) return false
    if (this.#isCookieless) {
      if ((seen & IDENTITY) !== 0) return false
      this.#columns.endCookielessRow(this.#timeMs, context)
    } else {
      if ((seen & IDENTITY) !== IDENTITY) return false
      this.#columns.endRow(this.#timeMs, context)
    }
    return true
  }

  #fieldValue(field: number, at: number, limit: number): number {
    switch (field) {
      case FIELD.eventId:
        return this.#uuid(at, limit, this.#columns.eventIds)
      case FIELD.kind:
        return this.#kind(at, limit)
      case FIELD.occurTime:
        return this.#occurTime(at, limit)
      case FIELD.distinctId:
        return this.#distinctId(at, limit)
      case FIELD.sessionId:
        return this.#uuid(at, limit, this.#columns.sessionIds)
      default:
        return this.#cookieless(at, limit)
    }
  }

  #uuid(at: number, limit: number, ids: Int32Array): number {
    const { bytes, view } = this.#source
    const end = at + 1 + UUID_BYTES
    if (bytes[at] !== UUID_BYTES || end > limit) return -1
    return readUuid(view, at + 1, ids, this.#columns.rowCount) ? end : -1
  }

  #kind(at: number, limit: number): number {
    const { bytes, view } = this.#source
    const end = this.#delimited(at, limit)
    const start = this.#start
    // The bytes after the kind may look like one: its length decides.
    if (end < 0 || findKindEnd(bytes, start, end) !== end) return -1
    if (!isKindAllowed(view, start, end - start)) return -1
    this.#columns.kinds.text(this.#source, start, end - start)
    return end
  }

  #occurTime(at: number, limit: number): number {
    const end = this.#delimited(at, limit)
    if (end < 0) return -1
    this.#timeMs = this.#timestamp(this.#start, end)
    return checkOccurTime(this.#timeMs) === undefined ? end : -1
  }

  #distinctId(at: number, limit: number): number {
    const end = this.#delimited(at, limit)
    const start = this.#start
    if (end < 0 || !this.#isText(start, end)) return -1
    if (!isDistinctIdAllowed(this.#source.view, start, end - start)) return -1
    this.#columns.distinctIds.text(this.#source, start, end - start)
    return end
  }

  #cookieless(at: number, limit: number): number {
    const value = this.#source.bytes[at] ?? 0
    if (at >= limit || value > 1) return -1
    this.#isCookieless = value === 1
    return at + 1
  }

  #property(tag: number, at: number, limit: number): number {
    const { bytes } = this.#source
    const end = this.#delimited(at, limit)
    const entry = this.#start
    if (end < 0 || bytes[entry] !== KEY_TAG || ++this.#keyCount > LIMITS.propertyKeysMax) return -1
    const isAuto = tag === TAG.autoProperties
    const keyEnd = this.#key(isAuto ? this.#previousAuto : this.#previousCustom, entry + 1, end)
    if (keyEnd < 0 || keyEnd >= end || bytes[keyEnd] !== VALUE_TAG) return -1
    const id = this.#id
    if (isAuto) this.#previousAuto = id
    else this.#previousCustom = id
    const flags = this.#keys.flags[id] ?? 0
    if ((flags & KEY_FLAGS.auto) !== (isAuto ? KEY_FLAGS.auto : 0) || !this.#keys.see(id)) return -1
    if (this.#delimited(keyEnd + 1, end) !== end) return -1
    return this.#value(id, (flags & KEY_FLAGS.serverOwned) !== 0, end) ? end : -1
  }

  /** Reads a key with its length and sets the id; returns its end. */
  #key(previous: number, at: number, limit: number): number {
    const keys = this.#keys
    const guess = keys.next[previous] ?? 0
    if (keys.isPrefixedAt(guess, this.#source.view, at)) {
      this.#id = guess
      return at + 1 + (keys.lengths[guess] ?? 0)
    }
    const end = this.#delimited(at, limit)
    if (end < 0) return -1
    const id = keys.find(this.#source, this.#start, end - this.#start)
    if (id < 0) return -1
    keys.next[previous] = id
    this.#id = id
    return end
  }

  /** Reads the single variant of the value whose length was read last. */
  #value(id: number, isDropped: boolean, end: number): boolean {
    const { bytes } = this.#source
    const start = this.#start
    if (start >= end) return false
    switch (bytes[start]) {
      case VARIANT_TAG.string:
        return this.#string(id, isDropped, start + 1, end)
      case VARIANT_TAG.int:
        if (!this.#varints.readInt64(bytes, start + 1) || this.#varints.end !== end) return false
        if (!isDropped) this.#properties.addInt(id, this.#varints.low, this.#varints.high)
        return true
      case VARIANT_TAG.double:
        return this.#double(id, isDropped, start + 1, end)
      case VARIANT_TAG.bool:
        if (start + 2 !== end || (bytes[start + 1] ?? 2) > 1) return false
        if (!isDropped) this.#properties.addBool(id, bytes[start + 1] ?? 0)
        return true
      case VARIANT_TAG.time:
        return this.#time(id, isDropped, start + 1, end)
      default:
        return false
    }
  }

  #string(id: number, isDropped: boolean, at: number, end: number): boolean {
    if (this.#delimited(at, end) !== end) return false
    const start = this.#start
    if (!this.#isText(start, end)) return false
    if (!isShortText(this.#source.view, start, end - start, LIMITS.stringCodePointsMax)) return false
    if (!isDropped) this.#properties.addText(id, start, end - start)
    return true
  }

  #double(id: number, isDropped: boolean, at: number, end: number): boolean {
    if (at + 8 !== end) return false
    const value = this.#source.view.getFloat64(at, true)
    if (!Number.isFinite(value)) return false
    if (!isDropped) this.#properties.addDouble(id, value)
    return true
  }

  #time(id: number, isDropped: boolean, at: number, end: number): boolean {
    if (this.#delimited(at, end) !== end) return false
    const timeMs = this.#timestamp(this.#start, end)
    if (checkPropertyTime(timeMs) !== undefined) return false
    if (!isDropped) this.#properties.addTime(id, timeMs)
    return true
  }

  /** Milliseconds of a Timestamp; NaN when it is not in canonical form. */
  #timestamp(start: number, end: number): number {
    const { bytes } = this.#source
    const varints = this.#varints
    let at = start
    let seconds = 0
    let nanos = 0
    if (at < end && bytes[at] === SECONDS_TAG) {
      seconds = varints.readSeconds(bytes, at + 1)
      at = varints.end
    }
    if (at < end && bytes[at] === NANOS_TAG) {
      nanos = varints.readSeconds(bytes, at + 1)
      at = varints.end
    }
    if (at !== end || seconds < 0 || nanos < 0 || nanos >= NANOS_END) return Number.NaN
    return seconds * 1000 + Math.floor(nanos / 1_000_000)
  }

  #isText(start: number, end: number): boolean {
    const { bytes, view } = this.#source
    return isAscii(view, start, end - start) || isUtf8(bytes.subarray(start, end))
  }
}

function fieldOf(tag: number): number {
  switch (tag) {
    case TAG.eventId:
      return FIELD.eventId
    case TAG.distinctId:
      return FIELD.distinctId
    case TAG.kind:
      return FIELD.kind
    case TAG.occurTime:
      return FIELD.occurTime
    case TAG.sessionId:
      return FIELD.sessionId
    case TAG.cookieless:
      return FIELD.cookieless
    default:
      return 0
  }
}

function isAscii(view: DataView, start: number, length: number): boolean {
  const whole = length & ~3
  let bits = 0
  for (let offset = 0; offset < whole; offset += 4) bits |= view.getInt32(start + offset, true)
  const rest = length & 3
  if (rest !== 0) bits |= view.getInt32(start + whole, true) & ((1 << (rest * 8)) - 1)
  return (bits & 0x80808080) === 0
}
