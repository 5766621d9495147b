import type { FieldViolation } from '../../contract/service-error.ts'
import { LIMITS } from '../../kernel/limits.ts'
import type { Event, Property, PropertyValue } from '../event/event.ts'
import {
  checkDistinctId,
  checkKind,
  checkOccurTime,
  checkPropertyKey,
  checkPropertyValue,
  checkUuid,
  SERVER_OWNED_PROPERTIES,
} from '../event/event-rules.ts'

/**
 * An event as sent, in either encoding; `undefined` means absent. Fields are read lazily and may throw a {@link DecodeError},
 * so that violations are found in the order of the rules.
 */
export interface SentEvent {
  readonly eventId: string | undefined
  readonly kind: string | undefined
  /** Milliseconds since the Unix epoch. */
  readonly occurTimeMs: number | undefined
  readonly distinctId: string | undefined
  readonly sessionId: string | undefined
  readonly cookieless: boolean
  readonly autoProperties: readonly SentProperty[]
  readonly customProperties: readonly SentProperty[]
}

/** A property as sent. */
export interface SentProperty {
  readonly key: string
  /** Its rank among all properties of the event, in the order of sending. */
  readonly position: number
  /** `undefined`: not exactly one variant. `path` names the property in errors. */
  readValue(path: string): PropertyValue | undefined
}

/** Applies the rules to one event; throws {@link DecodeError} with the first violation. */
export function validateEvent(sent: SentEvent, path: string): Event {
  const eventId = sent.eventId ?? ''
  reject(checkUuid(eventId), `${path}.eventId`)
  const kind = sent.kind ?? ''
  reject(checkKind(kind), `${path}.kind`)
  const timeMs = sent.occurTimeMs
  if (timeMs === undefined) throw new DecodeError(`${path}.occurTime`, 'is required')
  reject(checkOccurTime(timeMs), `${path}.occurTime`)
  const identity = validateIdentity(sent, path)
  const properties = validateProperties(sent, path)
  return { eventId: eventId.toLowerCase(), kind, timeMs, ...identity, properties }
}

function validateIdentity(
  sent: SentEvent,
  path: string,
): Pick<Event, 'distinctId' | 'sessionId' | 'cookieless'> {
  if (sent.cookieless) {
    const problem = 'must be omitted when cookieless is true'
    if (sent.distinctId !== undefined) throw new DecodeError(`${path}.distinctId`, problem)
    if (sent.sessionId !== undefined) throw new DecodeError(`${path}.sessionId`, problem)
    return { distinctId: '', sessionId: '', cookieless: true }
  }
  const distinctId = sent.distinctId ?? ''
  reject(checkDistinctId(distinctId), `${path}.distinctId`)
  const sessionId = sent.sessionId ?? ''
  reject(checkUuid(sessionId), `${path}.sessionId`)
  return { distinctId, sessionId: sessionId.toLowerCase(), cookieless: false }
}

function validateProperties(sent: SentEvent, path: string): Property[] {
  const { autoProperties, customProperties } = sent
  const properties = [
    ...autoProperties.map((property) => validateProperty(property, 'auto', `${path}.autoProperties`)),
    ...customProperties.map((property) => validateProperty(property, 'custom', `${path}.customProperties`)),
  ]
  if (properties.length > LIMITS.propertyKeysMax) {
    throw new DecodeError(path, `must have at most ${LIMITS.propertyKeysMax} properties`)
  }
  return properties
    .filter(({ key }) => !SERVER_OWNED_PROPERTIES.has(key))
    .sort((left, right) => left.position - right.position)
    .map(({ key, value }) => ({ key, value }))
}

function validateProperty(
  property: SentProperty,
  map: 'auto' | 'custom',
  mapPath: string,
): Property & { readonly position: number } {
  const { key, position } = property
  reject(checkPropertyKey(key, map), mapPath)
  const path = `${mapPath}[${JSON.stringify(key)}]`
  const value = property.readValue(path)
  if (value === undefined) throw new DecodeError(path, 'must have exactly one value')
  reject(checkPropertyValue(value), path)
  return { key, value, position }
}

function reject(problem: string | undefined, path: string): void {
  if (problem !== undefined) throw new DecodeError(path, problem)
}

/** The first violation in a batch. It ends the decoding of the batch and never leaves the worker's task. */
export class DecodeError extends Error {
  readonly violation: FieldViolation

  /** `field` is a path such as `events[3].kind`; empty for the body as a whole. */
  constructor(field: string, problem: string) {
    super(field === '' ? `the body ${problem}` : `${field} ${problem}`)
    this.name = 'DecodeError'
    this.violation = { field, description: problem }
  }
}
