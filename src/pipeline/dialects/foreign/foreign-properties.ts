import { PROMOTED_PROPERTIES } from '../../../contract/promoted-properties.ts'
import type { PropertyValue } from '../../../contract/property-types.ts'
import { LIMITS } from '../../../kernel/limits.ts'
import type { Property } from '../../event/event.ts'
import {
  checkPropertyKey,
  checkPropertyValue,
  cutText,
  SERVER_OWNED_PROPERTIES,
} from '../../event/event-rules.ts'
import type { ForeignChange } from './foreign-batch.ts'
import type { ForeignNames } from './foreign-names.ts'
import type { SourceObject } from './foreign-value.ts'

/** The typed properties of an event. */
export interface ForeignProperties {
  readonly properties: readonly Property[]
  /** Number of texts that were cut at their limit. */
  readonly cut: number
  /** Number of properties that break a limit and are left out. */
  readonly dropped: number
}

/** Auto properties whose values are in lower case. */
const IN_LOWER_CASE: ReadonlySet<string> = new Set(['$deviceType'])

/**
 * Converts plain JSON properties into typed ones. A text beyond its limit is cut, and a property that breaks another limit is left
 * out and counted instead of the whole event. Objects and lists become JSON text, whose parts queries read by a dotted name.
 */
export function readProperties(source: SourceObject, names: ForeignNames): ForeignProperties {
  const properties = new Map<string, PropertyValue>()
  let cut = 0
  let dropped = 0
  for (const [name, plain] of Object.entries(source)) {
    if (names.omitted.has(name) || SERVER_OWNED_PROPERTIES.has(name)) continue
    const renamed = Object.hasOwn(names.properties, name) ? names.properties[name] : undefined
    const key = renamed ?? name
    const value = readValue(plain, key)
    if (value === undefined) continue
    // A property that has the auto property's own name takes precedence over one that is renamed to it.
    if (renamed !== undefined && renamed !== name && properties.has(key)) continue
    const fitting = fitValue(value, plain)
    if (fitting !== undefined && fitting !== value) cut++
    const isValid =
      fitting !== undefined &&
      checkPropertyKey(key, key.startsWith('$') ? 'auto' : 'custom') === undefined &&
      checkPropertyValue(fitting) === undefined &&
      properties.size < LIMITS.propertyKeysMax
    if (isValid) properties.set(key, fitting)
    else dropped++
  }
  return { properties: Array.from(properties, ([key, value]) => ({ key, value })), cut, dropped }
}

/** Cuts a text. JSON text would not be JSON any more: `undefined` when it is too long. */
function fitValue(value: PropertyValue, plain: unknown): PropertyValue | undefined {
  if (value.type !== 'string') return value
  const text = cutText(value.value).toWellFormed()
  if (text === value.value) return value
  return typeof plain === 'string' ? { type: 'string', value: text } : undefined
}

function readValue(plain: unknown, key: string): PropertyValue | undefined {
  switch (typeof plain) {
    case 'string':
      return { type: 'string', value: IN_LOWER_CASE.has(key) ? plain.toLowerCase() : plain }
    case 'boolean':
      return { type: 'bool', value: plain }
    case 'number':
      return readNumber(plain, key)
    case 'bigint':
      return { type: 'int', value: plain }
    case 'object':
      return plain === null ? undefined : { type: 'string', value: JSON.stringify(plain) }
    case 'undefined':
      return undefined
    default:
      throw new TypeError(`a record has a ${typeof plain}`)
  }
}

/** Promoted properties are texts: libraries send the version of a browser as a number. */
function readNumber(plain: number, key: string): PropertyValue | undefined {
  if (!Number.isFinite(plain)) return undefined
  if (Object.hasOwn(PROMOTED_PROPERTIES, key)) return { type: 'string', value: String(plain) }
  const isInt = Number.isSafeInteger(plain) && !Object.is(plain, -0)
  return isInt ? { type: 'int', value: BigInt(plain) } : { type: 'double', value: plain }
}

/** The properties of an event; what had to be changed is added to `changes`. */
export function fitProperties(
  source: SourceObject,
  names: ForeignNames,
  changes: ForeignChange[],
): readonly Property[] {
  const { properties, cut, dropped } = readProperties(source, names)
  if (cut > 0) changes.push('text_cut')
  for (let count = 0; count < dropped; count++) changes.push('property_left_out')
  return properties
}

/** Properties with a note on a clock that is wrong. */
export function noteSkew(
  properties: readonly Property[],
  skewMs: number | undefined,
  changes: ForeignChange[],
): readonly Property[] {
  if (skewMs === undefined || properties.length >= LIMITS.propertyKeysMax) return properties
  changes.push('clock_skewed')
  return [...properties, { key: '$clock_skew_ms', value: { type: 'int', value: BigInt(skewMs) } }]
}
