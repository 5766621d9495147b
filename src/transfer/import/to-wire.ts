import type { PropertyValue } from '../../contract/property-types.ts'
import { unreachable } from '../../kernel/assert.ts'
import { parseForeignTime } from '../../pipeline/dialects/foreign/foreign-time.ts'
import type { Property } from '../../pipeline/event/event.ts'
import { RejectedRecord, type WireValue } from './imported.ts'

/** Parses the time of an event; see {@link parseForeignTime}. Throws {@link RejectedRecord}. */
export function readTime(text: unknown): number {
  const ms = parseForeignTime(text)
  if (ms === undefined) throw new RejectedRecord('the event has no valid time')
  return ms
}

/** Properties in the proto JSON of an event. */
export function toWire(properties: Iterable<Property>): Readonly<Record<string, WireValue>> {
  return Object.fromEntries(Array.from(properties, ({ key, value }) => [key, wireValue(value)]))
}

function wireValue(value: PropertyValue): WireValue {
  switch (value.type) {
    case 'string':
      return { stringValue: value.value }
    case 'int':
      return { intValue: String(value.value) }
    case 'double':
      return { doubleValue: value.value }
    case 'bool':
      return { boolValue: value.value }
    case 'time':
      throw new TypeError('a record has an instant as a property')
    default:
      return unreachable(value)
  }
}
