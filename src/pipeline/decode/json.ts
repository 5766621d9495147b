import { isUtf8 } from 'node:buffer'
import { LIMITS } from '../../kernel/limits.ts'
import type { Event, Property, PropertyValue } from '../event.ts'
import { DecodeError } from './decode-error.ts'
import { parseRfc3339 } from './rfc3339.ts'
import {
  checkDistinctId,
  checkInt64,
  checkKind,
  checkOccurTime,
  checkPropertyKey,
  checkText,
  checkUuid,
  SERVER_OWNED_PROPERTIES,
} from './rules.ts'

type JsonObject = Readonly<Record<string, unknown>>

/**
 * Decodes and validates the proto JSON of a `BatchCreateRequest`. Throws {@link DecodeError} with the first violation;
 * the batch is taken whole or not at all.
 */
export function decodeBatchJson(body: Buffer): Event[] {
  if (!isUtf8(body)) throw new DecodeError('', 'must be valid UTF-8')
  const events = field(asObject(parseJson(body.toString('utf8')), ''), 'events', 'events')
  if (events === undefined || events === null) return []
  if (!Array.isArray(events)) throw new DecodeError('events', 'must be an array')
  if (events.length > LIMITS.batchEventsMax) {
    throw new DecodeError('events', `must have at most ${LIMITS.batchEventsMax} events`)
  }
  return events.map((event, index) => decodeEvent(asObject(event, `events[${index}]`), `events[${index}]`))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new DecodeError('', 'must be valid JSON')
  }
}

function decodeEvent(event: JsonObject, path: string): Event {
  const eventId = asText(field(event, 'eventId', 'event_id'), `${path}.eventId`)
  reject(checkUuid(eventId), `${path}.eventId`)
  const kind = asText(event.kind, `${path}.kind`)
  reject(checkKind(kind), `${path}.kind`)
  const timeMs = decodeTime(field(event, 'occurTime', 'occur_time'), `${path}.occurTime`)
  const identity = decodeIdentity(event, path)
  return {
    eventId: eventId.toLowerCase(),
    kind,
    timeMs,
    ...identity,
    properties: decodeProperties(event, path),
  }
}

function decodeIdentity(
  event: JsonObject,
  path: string,
): Pick<Event, 'distinctId' | 'sessionId' | 'cookieless'> {
  if (asBool(event.cookieless, `${path}.cookieless`)) {
    throw new DecodeError(
      `${path}.cookieless`,
      'is not available yet: send distinctId and sessionId',
      'unimplemented',
    )
  }
  const distinctId = asText(field(event, 'distinctId', 'distinct_id'), `${path}.distinctId`)
  reject(checkDistinctId(distinctId), `${path}.distinctId`)
  const sessionId = asText(field(event, 'sessionId', 'session_id'), `${path}.sessionId`)
  reject(checkUuid(sessionId), `${path}.sessionId`)
  return { distinctId, sessionId: sessionId.toLowerCase(), cookieless: false }
}

function decodeTime(value: unknown, path: string): number {
  if (value === undefined || value === null) throw new DecodeError(path, 'is required')
  const timeMs = typeof value === 'string' ? parseRfc3339(value) : undefined
  if (timeMs === undefined) throw new DecodeError(path, 'must be an RFC 3339 time')
  reject(checkOccurTime(timeMs), path)
  return timeMs
}

function decodeProperties(event: JsonObject, path: string): Property[] {
  const properties: Property[] = []
  decodePropertyMap(
    field(event, 'autoProperties', 'auto_properties'),
    `${path}.autoProperties`,
    'auto',
    properties,
  )
  decodePropertyMap(
    field(event, 'customProperties', 'custom_properties'),
    `${path}.customProperties`,
    'custom',
    properties,
  )
  if (properties.length > LIMITS.propertyKeysMax) {
    throw new DecodeError(path, `must have at most ${LIMITS.propertyKeysMax} properties`)
  }
  return properties
}

function decodePropertyMap(
  value: unknown,
  path: string,
  map: 'auto' | 'custom',
  properties: Property[],
): void {
  if (value === undefined || value === null) return
  for (const [key, item] of Object.entries(asObject(value, path))) {
    reject(checkPropertyKey(key, map), path)
    const decoded = decodePropertyValue(asObject(item, `${path}[${JSON.stringify(key)}]`), path, key)
    if (!SERVER_OWNED_PROPERTIES.has(key)) properties.push({ key, value: decoded })
  }
}

/** The variants of a PropertyValue: both JSON names and how the value is read. */
const VARIANTS = [
  ['stringValue', 'string_value', decodeString],
  ['intValue', 'int_value', decodeInt],
  ['doubleValue', 'double_value', decodeDouble],
  ['boolValue', 'bool_value', decodeBool],
  ['timestampValue', 'timestamp_value', decodeTimestamp],
] as const

function decodePropertyValue(item: JsonObject, mapPath: string, key: string): PropertyValue {
  let found: PropertyValue | undefined
  for (const [camel, snake, decode] of VARIANTS) {
    const value = field(item, camel, snake)
    if (value === undefined || value === null) continue
    const path = `${mapPath}[${JSON.stringify(key)}]`
    if (found) throw new DecodeError(path, 'must have exactly one value')
    found = decode(value, path)
  }
  if (!found) throw new DecodeError(`${mapPath}[${JSON.stringify(key)}]`, 'must have exactly one value')
  return found
}

function decodeString(value: unknown, path: string): PropertyValue {
  const text = asText(value, path)
  reject(checkText(text, LIMITS.stringCodePointsMax), path)
  return { type: 'string', value: text }
}

function decodeInt(value: unknown, path: string): PropertyValue {
  const isExact = typeof value === 'number' ? Number.isSafeInteger(value) : /^-?\d{1,20}$/.test(String(value))
  if (!isExact || (typeof value !== 'number' && typeof value !== 'string')) {
    throw new DecodeError(path, 'must be an integer, written as a string when it is beyond 2^53')
  }
  const integer = BigInt(value)
  reject(checkInt64(integer), path)
  return { type: 'int', value: integer }
}

function decodeDouble(value: unknown, path: string): PropertyValue {
  const isNumeral = typeof value === 'string' && /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(value)
  const number = typeof value === 'number' || isNumeral ? Number(value) : Number.NaN
  if (!Number.isFinite(number)) throw new DecodeError(path, 'must be a finite number')
  return { type: 'double', value: number }
}

function decodeBool(value: unknown, path: string): PropertyValue {
  return { type: 'bool', value: asBool(value, path) }
}

function decodeTimestamp(value: unknown, path: string): PropertyValue {
  return { type: 'time', value: decodeTime(value, path) }
}

function field(object: JsonObject, camel: string, snake: string): unknown {
  return object[camel] ?? object[snake]
}

function asObject(value: unknown, path: string): JsonObject {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject
  throw new DecodeError(path, 'must be an object')
}

function asText(value: unknown, path: string): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value
  throw new DecodeError(path, 'must be a string')
}

function asBool(value: unknown, path: string): boolean {
  if (value === undefined || value === null) return false
  if (typeof value === 'boolean') return value
  throw new DecodeError(path, 'must be true or false')
}

function reject(problem: string | undefined, path: string): void {
  if (problem !== undefined) throw new DecodeError(path, problem)
}
