import {
  PROPERTY_TYPE_NAMES,
  PROPERTY_TYPES,
  type PropertyType,
  type PropertyValue,
} from '../../contract/property-types.ts'
import { LIMITS } from '../../kernel/limits.ts'
import type { Event } from '../event/event.ts'
import { DecodeError, type SentEvent, type SentProperty, validateEvent } from './sent-event.ts'
import { WireError, WireReader } from './wire-fields.ts'

/** Field numbers of `sdk.events.v1`; those of `common.v1.PropertyValue` are in the table of property types. */
const FIELDS = {
  batch: { events: 1 },
  event: {
    eventId: 1,
    autoProperties: 2,
    customProperties: 3,
    distinctId: 4,
    kind: 5,
    occurTime: 6,
    sessionId: 7,
    cookieless: 8,
  },
  entry: { key: 1, value: 2 },
  timestamp: { seconds: 1, nanos: 2 },
} as const

const NOT_UNICODE = 'must be valid Unicode text'
const MALFORMED = 'must be a valid protobuf message'

/** Milliseconds are exact up to this limit, which is far beyond every valid time. */
const SECONDS_MAX = 1_000_000_000_000n

/**
 * Decodes and validates a protobuf `BatchCreateRequest` in the straightforward way: the reference of the binary scanner, with
 * error messages. Throws {@link DecodeError} with the first violation. As in all of protobuf, the last of repeated scalars
 * and map keys wins, repeated messages merge, and unknown fields are ignored.
 */
export function decodeBatchBinarySlow(body: Uint8Array): Event[] {
  const events: Uint8Array[] = []
  orMalformed('', () =>
    WireReader.readFields(body, ({ number, reader }) => {
      if (number !== FIELDS.batch.events) return false
      events.push(reader.bytes())
      if (events.length > LIMITS.batchEventsMax) {
        throw new DecodeError('events', `must have at most ${LIMITS.batchEventsMax} events`)
      }
      return true
    }),
  )
  return events.map((bytes, index) => {
    const path = `events[${index}]`
    return validateEvent(
      orMalformed(path, () => readEvent(bytes, path)),
      path,
    )
  })
}

function orMalformed<T>(path: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof WireError) throw new DecodeError(path, MALFORMED)
    throw error
  }
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

interface Timestamp {
  seconds: bigint
  nanos: number
}

function readEvent(bytes: Uint8Array, path: string): SentEvent {
  const event: Partial<Mutable<SentEvent>> = {}
  const auto = new Map<string, SentProperty>()
  const custom = new Map<string, SentProperty>()
  let occurTime: Timestamp | undefined
  const { event: numbers } = FIELDS
  WireReader.readFields(bytes, ({ number, reader }) => {
    if (number === numbers.eventId) event.eventId = asText(reader.text(), `${path}.eventId`)
    else if (number === numbers.kind) event.kind = asText(reader.text(), `${path}.kind`)
    else if (number === numbers.distinctId) event.distinctId = asText(reader.text(), `${path}.distinctId`)
    else if (number === numbers.sessionId) event.sessionId = asText(reader.text(), `${path}.sessionId`)
    else if (number === numbers.cookieless) event.cookieless = reader.bool()
    else if (number === numbers.occurTime) occurTime = readTimestamp(reader.bytes(), occurTime)
    else if (number === numbers.autoProperties) {
      addProperty(auto, reader.bytes(), {
        mapPath: `${path}.autoProperties`,
        position: auto.size + custom.size,
      })
    } else if (number === numbers.customProperties) {
      addProperty(custom, reader.bytes(), {
        mapPath: `${path}.customProperties`,
        position: auto.size + custom.size,
      })
    } else return false
    if (auto.size + custom.size > LIMITS.propertyKeysMax) {
      throw new DecodeError(path, `must have at most ${LIMITS.propertyKeysMax} properties`)
    }
    return true
  })
  return {
    eventId: event.eventId,
    kind: event.kind,
    distinctId: event.distinctId,
    sessionId: event.sessionId,
    cookieless: event.cookieless ?? false,
    autoProperties: [...auto.values()],
    customProperties: [...custom.values()],
    get occurTimeMs() {
      return occurTime && asMilliseconds(occurTime, `${path}.occurTime`)
    },
  }
}

function addProperty(
  map: Map<string, SentProperty>,
  entry: Uint8Array,
  at: { readonly mapPath: string; readonly position: number },
): void {
  let key = ''
  let value: Variant | undefined
  WireReader.readFields(entry, ({ number, reader }) => {
    if (number === FIELDS.entry.key) key = asText(reader.text(), at.mapPath)
    else if (number === FIELDS.entry.value)
      value = readVariant(reader.bytes(), { sent: value, mapPath: at.mapPath })
    else return false
    return true
  })
  const variant = value
  map.set(key, {
    key,
    position: map.get(key)?.position ?? at.position,
    readValue: (path) => variant && asValue(variant, path),
  })
}

/** The last variant so far; the parts of a repeated Timestamp merge. */
type Variant = Exclude<PropertyValue, { type: 'time' }> | { readonly type: 'time'; readonly value: Timestamp }

type ReadVariant = (reader: WireReader, before: Variant | undefined, mapPath: string) => Variant['value']

/** The reader of each variant of a `PropertyValue`. */
const READERS = {
  string: (reader, _, mapPath) => asText(reader.text(), mapPath),
  int: (reader) => reader.int64(),
  double: (reader) => reader.double(),
  bool: (reader) => reader.bool(),
  time: (reader, before) => readTimestamp(reader.bytes(), before?.type === 'time' ? before.value : undefined),
} as const satisfies Record<PropertyType, ReadVariant>

const TYPES_BY_NUMBER: ReadonlyMap<number, PropertyType> = new Map(
  PROPERTY_TYPE_NAMES.map((type) => [PROPERTY_TYPES[type].fieldNumber, type]),
)

function readVariant(
  bytes: Uint8Array,
  { sent, mapPath }: { readonly sent: Variant | undefined; readonly mapPath: string },
): Variant | undefined {
  let variant = sent
  WireReader.readFields(bytes, ({ number, reader }) => {
    const type = TYPES_BY_NUMBER.get(number)
    if (type === undefined) return false
    const read: ReadVariant = READERS[type]
    variant = { type, value: read(reader, variant, mapPath) } as Variant
    return true
  })
  return variant
}

function asValue(variant: Variant, path: string): PropertyValue {
  return variant.type === 'time' ? { type: 'time', value: asMilliseconds(variant.value, path) } : variant
}

function readTimestamp(bytes: Uint8Array, before: Timestamp | undefined): Timestamp {
  const timestamp = { seconds: before?.seconds ?? 0n, nanos: before?.nanos ?? 0 }
  WireReader.readFields(bytes, ({ number, reader }) => {
    if (number === FIELDS.timestamp.seconds) timestamp.seconds = reader.int64()
    else if (number === FIELDS.timestamp.nanos) timestamp.nanos = reader.int32()
    else return false
    return true
  })
  return timestamp
}

function asMilliseconds({ seconds, nanos }: Timestamp, path: string): number {
  if (nanos < 0 || nanos > 999_999_999) throw new DecodeError(path, 'must have nanos from 0 to 999999999')
  if (seconds > SECONDS_MAX || seconds < -SECONDS_MAX) return Number(seconds) * 1000
  return Number(seconds) * 1000 + Math.floor(nanos / 1_000_000)
}

function asText(text: string | undefined, path: string): string {
  if (text === undefined) throw new DecodeError(path, NOT_UNICODE)
  return text
}
