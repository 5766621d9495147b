import { isUtf8 } from 'node:buffer'
import {
  PROPERTY_TYPE_NAMES,
  PROPERTY_TYPES,
  type PropertyType,
  type PropertyValue,
  type PropertyValues,
} from '../../contract/property-types.ts'
import { LIMITS } from '../../kernel/limits.ts'
import { findJsonExcess } from '../../rpc/json-bounds.ts'
import { MESSAGE_BOUNDS } from '../../rpc/message-bounds.ts'
import type { Event } from '../event/event.ts'
import { parseRfc3339 } from './rfc3339.ts'
import { DecodeError, type SentEvent, type SentProperty, validateEvent } from './sent-event.ts'

/** An object for each event, each of its maps and each value, a name for each, and as much again for unknown fields. */
const OBJECTS_MAX = LIMITS.batchEventsMax * (LIMITS.propertyKeysMax + 3) * 2
const BOUNDS = { ...MESSAGE_BOUNDS, objectsMax: OBJECTS_MAX, elementsMax: OBJECTS_MAX * 2 }

type JsonObject = Readonly<Record<string, unknown>>

/**
 * Decodes and validates the proto JSON of a `BatchCreateRequest` the obvious way: the reference of the scanner, which
 * finds the words for what is wrong with a body. Throws {@link DecodeError} with the first violation. `null` is absent;
 * when both names of a field are there, the camelCase one counts unless it is `null`; of a repeated key the last counts.
 */
export function decodeBatchJsonSlow(body: Uint8Array): Event[] {
  if (!isUtf8(body)) throw new DecodeError('', 'must be valid UTF-8')
  const excess = findJsonExcess(body, BOUNDS)
  if (excess !== undefined) throw new DecodeError('', excess)
  const text = Buffer.from(body.buffer, body.byteOffset, body.length).toString('utf8')
  const events = present(asObject(parseJson(text), '').events)
  if (events === undefined) return []
  if (!Array.isArray(events)) throw new DecodeError('events', 'must be an array')
  if (events.length > LIMITS.batchEventsMax) {
    throw new DecodeError('events', `must have at most ${LIMITS.batchEventsMax} events`)
  }
  return events.map((event, index) => {
    const path = `events[${index}]`
    return validateEvent(new JsonEvent(asObject(event, path), path), path)
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new DecodeError('', 'must be valid JSON')
  }
}

class JsonEvent implements SentEvent {
  readonly #fields: JsonObject
  readonly #path: string

  constructor(fields: JsonObject, path: string) {
    this.#fields = fields
    this.#path = path
  }

  get eventId(): string | undefined {
    return asOptionalText(field(this.#fields, 'eventId', 'event_id'), `${this.#path}.eventId`)
  }

  get kind(): string | undefined {
    return asOptionalText(present(this.#fields.kind), `${this.#path}.kind`)
  }

  get occurTimeMs(): number | undefined {
    const value = field(this.#fields, 'occurTime', 'occur_time')
    return value === undefined ? undefined : asTime(value, `${this.#path}.occurTime`)
  }

  get distinctId(): string | undefined {
    return asOptionalText(field(this.#fields, 'distinctId', 'distinct_id'), `${this.#path}.distinctId`)
  }

  get sessionId(): string | undefined {
    return asOptionalText(field(this.#fields, 'sessionId', 'session_id'), `${this.#path}.sessionId`)
  }

  get cookieless(): boolean {
    const value = present(this.#fields.cookieless)
    return value === undefined ? false : asBool(value, `${this.#path}.cookieless`)
  }

  get autoProperties(): readonly SentProperty[] {
    return this.#properties('autoProperties', 'auto_properties')
  }

  get customProperties(): readonly SentProperty[] {
    return this.#properties('customProperties', 'custom_properties')
  }

  #properties(camel: string, snake: string): readonly SentProperty[] {
    const value = field(this.#fields, camel, snake)
    if (value === undefined) return []
    const name = present(this.#fields[camel]) === undefined ? snake : camel
    // Properties keep the order of sending; no map has 2^32 properties.
    const start = Object.keys(this.#fields).indexOf(name) * 2 ** 32
    return Object.entries(asObject(value, `${this.#path}.${camel}`)).map(([key, item], index) => ({
      key,
      position: start + index,
      readValue: (path) => readValue(asObject(item, path), path),
    }))
  }
}

/** The reader of each variant of a `PropertyValue`. */
const READERS = {
  string: asText,
  int: readInt,
  double: readDouble,
  bool: asBool,
  time: asTime,
} as const satisfies {
  readonly [Type in PropertyType]: (value: unknown, path: string) => PropertyValues[Type]
}

function readValue(item: JsonObject, path: string): PropertyValue | undefined {
  const sent = PROPERTY_TYPE_NAMES.flatMap((type) => {
    const { jsonField, protoField } = PROPERTY_TYPES[type]
    const value = field(item, jsonField, protoField)
    return value === undefined ? [] : [{ type, value }]
  })
  const [first, second] = sent
  if (first === undefined || second !== undefined) return undefined
  return { type: first.type, value: READERS[first.type](first.value, path) } as PropertyValue
}

function readInt(value: unknown, path: string): bigint {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value)
  if (typeof value === 'string' && /^-?\d{1,20}$/.test(value)) return BigInt(value)
  throw new DecodeError(path, 'must be an integer, written as a string when it is beyond 2^53')
}

function readDouble(value: unknown, path: string): number {
  if (typeof value === 'number') return value
  const isNumeral = typeof value === 'string' && /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(value)
  if (!isNumeral) throw new DecodeError(path, 'must be a finite number')
  return Number(value)
}

function field(object: JsonObject, camel: string, snake: string): unknown {
  return present(object[camel]) ?? present(object[snake])
}

function present(value: unknown): unknown {
  return value === null ? undefined : value
}

function asObject(value: unknown, path: string): JsonObject {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject
  throw new DecodeError(path, 'must be an object')
}

function asOptionalText(value: unknown, path: string): string | undefined {
  return value === undefined ? undefined : asText(value, path)
}

function asText(value: unknown, path: string): string {
  if (typeof value === 'string') return value
  throw new DecodeError(path, 'must be a string')
}

function asBool(value: unknown, path: string): boolean {
  if (typeof value === 'boolean') return value
  throw new DecodeError(path, 'must be true or false')
}

function asTime(value: unknown, path: string): number {
  const timeMs = typeof value === 'string' ? parseRfc3339(value) : undefined
  if (timeMs === undefined) throw new DecodeError(path, 'must be an RFC 3339 time')
  return timeMs
}
