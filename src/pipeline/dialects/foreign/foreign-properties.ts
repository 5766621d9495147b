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

/** Auto properties whose values are in lower case. */
const IN_LOWER_CASE: ReadonlySet<string> = new Set(['$deviceType'])

/** What a table of names says about the name of a property. */
interface NamedProperty {
  readonly key: string
  readonly isOmitted: boolean
  readonly isRenamed: boolean
  readonly isValid: boolean
  /** Whether another name may be renamed to the same key. */
  readonly isShared: boolean
}

/** Kept names of a table; an entry is mostly below 200 bytes. Names longer than keys may be are not kept. */
const NAMES_MAX = 4096

const KNOWN = new WeakMap<ForeignNames, Map<string, NamedProperty>>()

function lookUp(name: string, names: ForeignNames, known: Map<string, NamedProperty>): NamedProperty {
  const found = known.get(name)
  if (found !== undefined) return found
  const renamed = Object.hasOwn(names.properties, name) ? names.properties[name] : undefined
  const key = renamed ?? name
  const property = {
    key,
    isOmitted: names.omitted.has(name) || SERVER_OWNED_PROPERTIES.has(name),
    isRenamed: renamed !== undefined && renamed !== name,
    isValid: checkPropertyKey(key, key.startsWith('$') ? 'auto' : 'custom') === undefined,
    isShared: Object.values(names.properties).some((target) => target === key),
  }
  if (known.size >= NAMES_MAX) known.clear()
  if (property.isValid) known.set(name, property)
  return property
}

function knownOf(names: ForeignNames): Map<string, NamedProperty> {
  const known = KNOWN.get(names) ?? new Map<string, NamedProperty>()
  KNOWN.set(names, known)
  return known
}

/**
 * Converts plain JSON properties into typed ones. A text beyond its limit is cut, and a property that breaks another limit is left
 * out and counted in `changes` instead of the whole event. Objects and lists become JSON text, whose parts queries read by a dotted
 * name. Speed: `dialect/segment-15`.
 */
export function fitProperties(
  source: SourceObject,
  names: ForeignNames,
  changes: ForeignChange[],
): readonly Property[] {
  const known = knownOf(names)
  const properties: Property[] = []
  let isCut = false
  let isRepaired = false
  let leftOut = 0
  for (const name of Object.keys(source)) {
    const plain = source[name]
    const { key, isOmitted, isRenamed, isValid, isShared } = lookUp(name, names, known)
    if (isOmitted) continue
    const value = readValue(plain, key)
    if (value === undefined) continue
    const place = isShared ? properties.findIndex((property) => property.key === key) : -1
    // A property that has the auto property's own name takes precedence over one that is renamed to it.
    if (isRenamed && place >= 0) continue
    const fitting = fitValue(value, plain)
    if (fitting !== undefined && fitting !== value) {
      isCut ||= isTooLong(plain)
      isRepaired ||= isMalformed(plain)
    }
    if (fitting === undefined || !isValid || properties.length >= LIMITS.propertyKeysMax) leftOut++
    else properties[place < 0 ? properties.length : place] = { key, value: fitting }
  }
  if (isCut) changes.push('text_cut')
  if (isRepaired) changes.push('characters_replaced')
  for (let count = 0; count < leftOut; count++) changes.push('property_left_out')
  return properties
}

function isTooLong(plain: unknown): boolean {
  return typeof plain === 'string' && cutText(plain) !== plain
}

function isMalformed(plain: unknown): boolean {
  return typeof plain === 'string' && !plain.isWellFormed()
}

/** Makes a value valid, or answers `undefined`: JSON text that is cut would not be JSON any more. */
function fitValue(value: PropertyValue, plain: unknown): PropertyValue | undefined {
  if (value.type === 'string') {
    const text = value.value
    if (text.length <= LIMITS.stringCodePointsMax && text.isWellFormed()) return value
    const fitting = cutText(text).toWellFormed()
    if (fitting === text) return value
    return typeof plain === 'string' ? { type: 'string', value: fitting } : undefined
  }
  return typeof plain === 'bigint' && checkPropertyValue(value) !== undefined ? undefined : value
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
