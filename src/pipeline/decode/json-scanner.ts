import { LIMITS } from '../../kernel/limits.ts'
import type { EventColumns, RowContext } from '../encode/event-columns.ts'
import { CHAIN_STARTS } from '../encode/property-keys.ts'
import type { SourceText } from '../encode/source-text.ts'
import { checkOccurTime } from '../event/event-rules.ts'
import { findKindEnd, isDistinctIdAllowed, isKindAllowed, readUuid, UUID_BYTES, word } from './field-bytes.ts'
import { blank, colon, fieldName, findNameEnd } from './json-bytes.ts'
import { JsonPropertyScanner } from './json-property-scanner.ts'
import { findTextEnd } from './json-text.ts'
import { TimeReader } from './time-reader.ts'

const QUOTE = 0x22
const COMMA = 0x2c
const ARRAY = 0x5b
const ARRAY_END = 0x5d
const OBJECT = 0x7b
const OBJECT_END = 0x7d

/** The fields of an event, as bits: each may occur once. */
const FIELD = {
  eventId: 1,
  kind: 2,
  occurTime: 4,
  distinctId: 8,
  sessionId: 16,
  cookieless: 32,
  autoProperties: 64,
  customProperties: 128,
} as const

const REQUIRED = FIELD.eventId | FIELD.kind | FIELD.occurTime
const IDENTITY = FIELD.distinctId | FIELD.sessionId

/**
 * Scans the proto JSON of a `BatchCreateRequest` straight from its bytes into columns, in one pass. It accepts common forms
 * and gives up on everything else: methods return the offset after what they read, or -1. It has no rules of its own: the
 * slow decoder accepts every body that it accepts, with the same result. The body has zero padding, which nothing here
 * accepts, so no offset gets past it. Speed: `decode/json-batch-100`.
 */
export class JsonScanner {
  readonly #columns: EventColumns
  readonly #source: SourceText
  readonly #values: JsonPropertyScanner
  readonly #times = new TimeReader()
  #timeMs = 0
  #isCookieless = false
  /** The field whose name was read last. */
  #field = 0

  constructor(columns: EventColumns) {
    this.#columns = columns
    this.#source = columns.properties.source
    this.#values = new JsonPropertyScanner(columns.properties)
  }

  /** Scans the body in the source, which is valid UTF-8; returns the number of events, or -1. */
  scan(length: number, context: RowContext): number {
    const { bytes, view } = this.#source
    let at = blank(bytes, 0)
    if (bytes[at] !== OBJECT) return -1
    at = blank(bytes, at + 1)
    if (view.getInt32(at, true) !== EVENTS_0 || view.getInt32(at + 4, true) !== EVENTS_1) return -1
    at = colon(bytes, at + 8)
    if (at < 0 || bytes[at] !== ARRAY) return -1
    at = blank(bytes, at + 1)
    let count = 0
    while (bytes[at] !== ARRAY_END) {
      if (count === LIMITS.batchEventsMax) return -1
      at = this.#scanEvent(at, context)
      if (at < 0) return -1
      count++
      at = blank(bytes, at)
      if (bytes[at] === COMMA) {
        at = blank(bytes, at + 1)
        if (bytes[at] === ARRAY_END) return -1
      } else if (bytes[at] !== ARRAY_END) return -1
    }
    at = blank(bytes, at + 1)
    if (bytes[at] !== OBJECT_END) return -1
    return blank(bytes, at + 1) === length ? count : -1
  }

  #scanEvent(start: number, context: RowContext): number {
    const { bytes } = this.#source
    if (bytes[start] !== OBJECT) return -1
    this.#columns.startRow()
    this.#values.startRow()
    this.#isCookieless = false
    let seen = 0
    let at = start
    do {
      at = this.#fieldName(blank(bytes, at + 1))
      const field = this.#field
      if (at < 0 || (seen & field) !== 0) return -1
      seen |= field
      at = colon(bytes, at)
      if (at < 0) return -1
      at = this.#fieldValue(field, at)
      if (at < 0) return -1
      at = blank(bytes, at)
    } while (bytes[at] === COMMA)
    if (bytes[at] !== OBJECT_END || (seen & REQUIRED) !== REQUIRED) return -1
    if (this.#isCookieless) {
      if ((seen & IDENTITY) !== 0) return -1
      this.#columns.endCookielessRow(this.#timeMs, context)
    } else {
      if ((seen & IDENTITY) !== IDENTITY) return -1
      this.#columns.endRow(this.#timeMs, context)
    }
    return at + 1
  }

  #fieldValue(field: number, at: number): number {
    switch (field) {
      case FIELD.eventId:
        return this.#uuid(at, this.#columns.eventIds)
      case FIELD.kind:
        return this.#kind(at)
      case FIELD.occurTime:
        return this.#occurTime(at)
      case FIELD.distinctId:
        return this.#distinctId(at)
      case FIELD.sessionId:
        return this.#uuid(at, this.#columns.sessionIds)
      case FIELD.cookieless:
        return this.#cookieless(at)
      case FIELD.autoProperties:
        return this.#values.scan(at, CHAIN_STARTS.auto)
      default:
        return this.#values.scan(at, CHAIN_STARTS.custom)
    }
  }

  /** Reads `"name"` and sets the field; returns the offset after it. */
  #fieldName(at: number): number {
    const { bytes, view } = this.#source
    if (bytes[at] !== QUOTE) return -1
    switch (view.getInt32(at + 1, true)) {
      case EVEN:
        this.#field = FIELD.eventId
        return this.#rest(at + 5, TID, T_ID)
      case KIND:
        this.#field = FIELD.kind
        return bytes[at + 5] === QUOTE ? at + 6 : -1
      case OCCU:
        this.#field = FIELD.occurTime
        return findNameEnd(view, at, OCCUR_TIME)
      case DIST:
        this.#field = FIELD.distinctId
        return findNameEnd(view, at, DISTINCT_ID)
      case SESS:
        this.#field = FIELD.sessionId
        return findNameEnd(view, at, SESSION_ID)
      case COOK:
        this.#field = FIELD.cookieless
        return findNameEnd(view, at, COOKIELESS)
      case AUTO:
        this.#field = FIELD.autoProperties
        return findNameEnd(view, at, AUTO_PROPERTIES)
      case CUST:
        this.#field = FIELD.customProperties
        return findNameEnd(view, at, CUSTOM_PROPERTIES)
      default:
        return -1
    }
  }

  #rest(at: number, camel: number, snake: number): number {
    const { bytes, view } = this.#source
    const rest = view.getInt32(at, true)
    if (rest === camel) return at + 4
    return rest === snake && bytes[at + 4] === QUOTE ? at + 5 : -1
  }

  #uuid(at: number, ids: Int32Array): number {
    const { bytes, view } = this.#source
    const end = at + 1 + UUID_BYTES
    const isUuid =
      bytes[at] === QUOTE && bytes[end] === QUOTE && readUuid(view, at + 1, ids, this.#columns.rowCount)
    return isUuid ? end + 1 : -1
  }

  #kind(at: number): number {
    const { bytes, view } = this.#source
    if (bytes[at] !== QUOTE) return -1
    const end = findKindEnd(bytes, at + 1, at + 2 + LIMITS.kindCodePointsMax)
    const length = end - at - 1
    if (bytes[end] !== QUOTE || !isKindAllowed(view, at + 1, length)) return -1
    this.#columns.kinds.text(this.#source, at + 1, length)
    return end + 1
  }

  #occurTime(at: number): number {
    const { bytes, view } = this.#source
    if (bytes[at] !== QUOTE) return -1
    const end = findTextEnd(view, at + 1)
    if (bytes[end] !== QUOTE) return -1
    const timeMs = this.#times.read(this.#source, at + 1, end)
    this.#timeMs = timeMs
    return checkOccurTime(timeMs) === undefined ? end + 1 : -1
  }

  #distinctId(at: number): number {
    const { bytes, view } = this.#source
    if (bytes[at] !== QUOTE) return -1
    const end = findTextEnd(view, at + 1)
    const length = end - at - 1
    if (bytes[end] !== QUOTE || !isDistinctIdAllowed(view, at + 1, length)) return -1
    this.#columns.distinctIds.text(this.#source, at + 1, length)
    return end + 1
  }

  #cookieless(at: number): number {
    const { bytes, view } = this.#source
    const literal = view.getInt32(at, true)
    this.#isCookieless = literal === TRUE
    if (literal === TRUE) return at + 4
    return literal === FALS && bytes[at + 4] === 0x65 ? at + 5 : -1
  }
}

const EVENTS_0 = word('"eve')
const EVENTS_1 = word('nts"')
const EVEN = word('even')
const TID = word('tId"')
const T_ID = word('t_id')
const KIND = word('kind')
const OCCU = word('occu')
const DIST = word('dist')
const SESS = word('sess')
const COOK = word('cook')
const AUTO = word('auto')
const CUST = word('cust')
const TRUE = word('true')
const FALS = word('fals')

const OCCUR_TIME = fieldName('occurTime', 'occur_time')
const DISTINCT_ID = fieldName('distinctId', 'distinct_id')
const SESSION_ID = fieldName('sessionId', 'session_id')
const COOKIELESS = fieldName('cookieless', 'cookieless')
const AUTO_PROPERTIES = fieldName('autoProperties', 'auto_properties')
const CUSTOM_PROPERTIES = fieldName('customProperties', 'custom_properties')
