import type { Event, Property, PropertyValue } from '../../src/pipeline/event/event.ts'
import type { JsonPropertyValue } from './events.ts'

/** Proto JSON of an event. */
export function asJsonEvent(
  event: Omit<Event, 'properties'> & { readonly properties: Iterable<Property> },
): object {
  const { eventId, kind, distinctId, sessionId, cookieless, properties } = event
  const entries = Array.from(properties, ({ key, value }) => [key, asJsonValue(value)] as const)
  return {
    eventId,
    kind,
    occurTime: new Date(event.timeMs).toISOString(),
    ...(cookieless ? { cookieless } : { distinctId, sessionId }),
    autoProperties: Object.fromEntries(entries.filter(([key]) => key.startsWith('$'))),
    customProperties: Object.fromEntries(entries.filter(([key]) => !key.startsWith('$'))),
  }
}

function asJsonValue({ type, value }: PropertyValue): JsonPropertyValue {
  switch (type) {
    case 'string':
      return { stringValue: value }
    case 'int':
      return { intValue: String(value) }
    case 'double':
      return { doubleValue: value }
    case 'bool':
      return { boolValue: value }
    case 'time':
      return { timestampValue: new Date(value).toISOString() }
  }
}
