import { LIMITS } from '../../kernel/limits.ts'
import type { PropertyColumns } from '../encode/property-columns.ts'
import { CHAIN_STARTS, KEY_FLAGS, type PropertyKeys } from '../encode/property-keys.ts'
import type { SourceText } from '../encode/source-text.ts'
import { checkPropertyTime } from '../event/event-rules.ts'
import { isShortText, word } from './field-bytes.ts'
import { blank, colon, fieldName, findNameEnd } from './json-bytes.ts'
import { NumberReader } from './json-numbers.ts'
import { findTextEnd, unescapeText } from './json-text.ts'
import { TimeReader } from './time-reader.ts'

const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
const OBJECT = 0x7b
const OBJECT_END = 0x7d
const LETTER_E = 0x65

/** The variants of a PropertyValue. */
const VARIANT = { string: 1, int: 2, double: 3, bool: 4, time: 5 } as const

/**
 * Scans the property maps of an event; see {@link JsonScanner}. Predicts the next key from the previous one, and the variant
 * from its first letters, so that most of a property is compared instead of parsed.
 * Speed: `decode/json-batch-100`.
 */
export class JsonPropertyScanner {
  readonly #properties: PropertyColumns
  readonly #keys: PropertyKeys
  readonly #source: SourceText
  /** A reader of its own: the days of these times are not those of the events. */
  readonly #times = new TimeReader()
  readonly #numbers = new NumberReader()
  #keyCount = 0
  /** The key and the variant that were read last. */
  #id = 0
  #variant = 0

  constructor(properties: PropertyColumns) {
    this.#properties = properties
    this.#keys = properties.keys
    this.#source = properties.source
  }

  /** Starts an event. */
  startRow(): void {
    this.#keyCount = 0
  }

  /** Scans the map of properties at `start`. */
  scan(start: number, chainStart: number): number {
    const { bytes } = this.#source
    if (bytes[start] !== OBJECT) return -1
    let at = blank(bytes, start + 1)
    if (bytes[at] === OBJECT_END) return at + 1
    const isAuto = chainStart === CHAIN_STARTS.auto ? KEY_FLAGS.auto : 0
    let previous = chainStart
    for (;;) {
      at = this.#key(at, previous)
      if (at < 0) return -1
      const id = this.#id
      const flags = this.#keys.flags[id] ?? 0
      // JSON.parse moves keys of digits to the front: left to the slow decoder.
      if ((flags & (KEY_FLAGS.auto | KEY_FLAGS.digits)) !== isAuto || !this.#keys.see(id)) return -1
      if (++this.#keyCount > LIMITS.propertyKeysMax) return -1
      const isDropped = (flags & KEY_FLAGS.serverOwned) !== 0
      if (this.#isTextAt(at)) at = this.#string(at + TEXT_START.length - 1, isDropped)
      else {
        at = this.#variantName(blank(bytes, at + 1))
        if (at < 0) return -1
        at = this.#value(at, isDropped)
      }
      if (at < 0) return -1
      at = blank(bytes, at)
      if (bytes[at] !== OBJECT_END) return -1
      at = blank(bytes, at + 1)
      if (bytes[at] === OBJECT_END) return at + 1
      if (bytes[at] !== COMMA) return -1
      at = blank(bytes, at + 1)
      previous = id
    }
  }

  /** Reads `"key":{` and sets the key; returns the offset of the brace. */
  #key(start: number, previous: number): number {
    const { bytes, view } = this.#source
    if (bytes[start] !== QUOTE) return -1
    const keys = this.#keys
    const guess = keys.next[previous] ?? 0
    if (keys.isQuotedAt(guess, view, start + 1)) {
      this.#id = guess
      const at = blank(bytes, start + 3 + (keys.lengths[guess] ?? 0))
      return bytes[at] === OBJECT ? at : -1
    }
    const end = findTextEnd(view, start + 1)
    if (bytes[end] !== QUOTE) return -1
    const id = keys.find(this.#source, start + 1, end - start - 1)
    if (id < 0) return -1
    keys.next[previous] = id
    this.#id = id
    const at = colon(bytes, end + 1)
    return at >= 0 && bytes[at] === OBJECT ? at : -1
  }

  /** Whether a value is a text without white space: that of most properties is, and is compared as a whole. */
  #isTextAt(at: number): boolean {
    const { view } = this.#source
    return (
      view.getInt32(at, true) === TEXT_0 &&
      view.getInt32(at + 4, true) === TEXT_1 &&
      view.getInt32(at + 8, true) === TEXT_2 &&
      view.getInt32(at + 12, true) === TEXT_3
    )
  }

  /** Reads `"stringValue":` and the like and sets the variant; returns the offset of the value. */
  #variantName(at: number): number {
    const { bytes, view } = this.#source
    if (bytes[at] !== QUOTE) return -1
    const end = this.#variantNameEnd(view, at)
    return end < 0 ? -1 : colon(bytes, end)
  }

  #variantNameEnd(view: DataView, at: number): number {
    switch (view.getInt32(at + 1, true)) {
      case STRI:
        this.#variant = VARIANT.string
        return findNameEnd(view, at, STRING_VALUE)
      case INT_CAMEL:
      case INT_SNAKE:
        this.#variant = VARIANT.int
        return findNameEnd(view, at, INT_VALUE)
      case DOUB:
        this.#variant = VARIANT.double
        return findNameEnd(view, at, DOUBLE_VALUE)
      case BOOL:
        this.#variant = VARIANT.bool
        return findNameEnd(view, at, BOOL_VALUE)
      case TIME:
        this.#variant = VARIANT.time
        return findNameEnd(view, at, TIMESTAMP_VALUE)
      default:
        return -1
    }
  }

  #value(at: number, isDropped: boolean): number {
    switch (this.#variant) {
      case VARIANT.string:
        return this.#string(at, isDropped)
      case VARIANT.int:
        return this.#int(at, isDropped)
      case VARIANT.double:
        return this.#double(at, isDropped)
      case VARIANT.bool:
        return this.#bool(at, isDropped)
      case VARIANT.time:
        return this.#time(at, isDropped)
      default:
        return -1
    }
  }

  #string(at: number, isDropped: boolean): number {
    const { bytes, view } = this.#source
    if (bytes[at] !== QUOTE) return -1
    let start = at + 1
    let end = findTextEnd(view, start)
    let length = end - start
    if (bytes[end] === BACKSLASH) {
      start = this.#source.tail
      end = unescapeText(this.#source, at + 1)
      if (end < 0) return -1
      length = this.#source.tail - start
    } else if (bytes[end] !== QUOTE) return -1
    if (!isShortText(view, start, length, LIMITS.stringCodePointsMax)) return -1
    if (!isDropped) this.#properties.addText(this.#id, start, length)
    return end + 1
  }

  #int(at: number, isDropped: boolean): number {
    const { bytes } = this.#source
    const isQuoted = bytes[at] === QUOTE
    const end = isQuoted ? this.#numbers.readInteger(bytes, at + 1) : this.#numbers.readDouble(bytes, at)
    if (end < 0 || (isQuoted && bytes[end] !== QUOTE)) return -1
    const { value } = this.#numbers
    if (!Number.isSafeInteger(value)) return -1
    if (!isDropped) {
      const high = Math.floor(value / 0x1_0000_0000)
      this.#properties.addInt(this.#id, value - high * 0x1_0000_0000, high)
    }
    return isQuoted ? end + 1 : end
  }

  #double(at: number, isDropped: boolean): number {
    const end = this.#numbers.readDouble(this.#source.bytes, at)
    if (end >= 0 && !isDropped) this.#properties.addDouble(this.#id, this.#numbers.value)
    return end
  }

  #bool(at: number, isDropped: boolean): number {
    const { bytes, view } = this.#source
    const literal = view.getInt32(at, true)
    const isTrue = literal === TRUE
    if (!isTrue && (literal !== FALS || bytes[at + 4] !== LETTER_E)) return -1
    if (!isDropped) this.#properties.addBool(this.#id, isTrue ? 1 : 0)
    return isTrue ? at + 4 : at + 5
  }

  #time(at: number, isDropped: boolean): number {
    const { bytes, view } = this.#source
    if (bytes[at] !== QUOTE) return -1
    const end = findTextEnd(view, at + 1)
    if (bytes[end] !== QUOTE) return -1
    const timeMs = this.#times.read(this.#source, at + 1, end)
    if (checkPropertyTime(timeMs) !== undefined) return -1
    if (!isDropped) this.#properties.addTime(this.#id, timeMs)
    return end + 1
  }
}

/** The words before most texts. */
const TEXT_START = '{"stringValue":"'
const TEXT_0 = word(TEXT_START)
const TEXT_1 = word(TEXT_START.slice(4))
const TEXT_2 = word(TEXT_START.slice(8))
const TEXT_3 = word(TEXT_START.slice(12))

const STRI = word('stri')
const INT_CAMEL = word('intV')
const INT_SNAKE = word('int_')
const DOUB = word('doub')
const BOOL = word('bool')
const TIME = word('time')
const TRUE = word('true')
const FALS = word('fals')

const STRING_VALUE = fieldName('stringValue', 'string_value')
const INT_VALUE = fieldName('intValue', 'int_value')
const DOUBLE_VALUE = fieldName('doubleValue', 'double_value')
const BOOL_VALUE = fieldName('boolValue', 'bool_value')
const TIMESTAMP_VALUE = fieldName('timestampValue', 'timestamp_value')
