import type { PropertyValue } from '../../contract/property-types.ts'
import { unreachable } from '../../kernel/assert.ts'
import { LIMITS } from '../../kernel/limits.ts'
import {
  checkPropertyKey,
  checkPropertyValue,
  SERVER_OWNED_PROPERTIES,
} from '../../pipeline/event/event-rules.ts'
import type { ForeignNames } from './foreign-tables.ts'
import type { SourceObject, WireValue } from './imported.ts'

/** The properties of an event, by map. */
export interface WireProperties {
  readonly auto: Readonly<Record<string, WireValue>>
  readonly custom: Readonly<Record<string, WireValue>>
  /** Number of properties that were dropped. */
  readonly dropped: number
}

/** Auto properties whose values are in lower case. */
const IN_LOWER_CASE: ReadonlySet<string> = new Set(['$deviceType'])

/**
 * Converts plain JSON properties into typed ones. A property that exceeds a limit is dropped and counted instead of the whole
 * event. Objects and lists become JSON text, whose parts queries read by a dotted name.
 */
export function readProperties(properties: SourceObject, names: ForeignNames): WireProperties {
  const auto = new Map<string, WireValue>()
  const custom = new Map<string, WireValue>()
  let dropped = 0
  for (const [name, plain] of Object.entries(properties)) {
    if (names.omitted.has(name) || SERVER_OWNED_PROPERTIES.has(name)) continue
    const value = readValue(plain)
    if (value === undefined) continue
    const renamed = Object.hasOwn(names.properties, name) ? names.properties[name] : undefined
    const key = renamed ?? name
    const map = key.startsWith('$') ? auto : custom
    // A property that has the auto property's own name takes precedence over one that is renamed to it.
    if (renamed !== undefined && renamed !== name && map.has(key)) continue
    const isValid = !breaksRules(key, value) && auto.size + custom.size < LIMITS.propertyKeysMax
    if (isValid) map.set(key, IN_LOWER_CASE.has(key) ? toLowerCase(value) : value)
    else dropped++
  }
  return { auto: Object.fromEntries(auto), custom: Object.fromEntries(custom), dropped }
}

function breaksRules(key: string, value: WireValue): boolean {
  if (checkPropertyKey(key, key.startsWith('$') ? 'auto' : 'custom') !== undefined) return true
  return checkPropertyValue(typedValue(value)) !== undefined
}

function typedValue(value: WireValue): PropertyValue {
  if ('stringValue' in value) return { type: 'string', value: value.stringValue }
  if ('intValue' in value) return { type: 'int', value: BigInt(value.intValue) }
  if ('doubleValue' in value) return { type: 'double', value: value.doubleValue }
  if ('boolValue' in value) return { type: 'bool', value: value.boolValue }
  return unreachable(value)
}

function readValue(plain: unknown): WireValue | undefined {
  switch (typeof plain) {
    case 'string':
      return { stringValue: plain }
    case 'boolean':
      return { boolValue: plain }
    case 'number':
      if (Number.isSafeInteger(plain) && !Object.is(plain, -0)) return { intValue: String(plain) }
      return Number.isFinite(plain) ? { doubleValue: plain } : undefined
    case 'bigint':
      return { intValue: String(plain) }
    case 'object':
      return plain === null ? undefined : { stringValue: JSON.stringify(plain) }
    case 'undefined':
      return undefined
    default:
      throw new TypeError(`a record has a ${typeof plain}`)
  }
}

function toLowerCase(value: WireValue): WireValue {
  return 'stringValue' in value ? { stringValue: value.stringValue.toLowerCase() } : value
}
