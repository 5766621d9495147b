import { PROMOTED_PROPERTIES } from '../../../contract/promoted-properties.ts'
import { LIMITS } from '../../../kernel/limits.ts'
import {
  checkPropertyKey,
  checkPropertyValue,
  cutText,
  SERVER_OWNED_PROPERTIES,
} from '../../event/event-rules.ts'
import { PlainProperties, type PlainValue } from '../../event/plain-properties.ts'
import type { ForeignChange } from './foreign-batch.ts'
import type { ForeignNames } from './foreign-names.ts'
import type { SourceObject } from './foreign-value.ts'

/** Auto properties whose values are in lower case. */
const IN_LOWER_CASE: ReadonlySet<string> = new Set(['$deviceType'])

/** How the libraries of PostHog, Mixpanel and RudderStack spell the absence of a referrer. */
const NO_REFERRER = '$direct'

const REFERRERS: ReadonlySet<string> = new Set(['$referrer', '$referrerDomain'])

/** Where the list that is being filled has something; valid for the list of that number only. */
interface Place {
  list: number
  at: number
}

/** What a table of names says about the name of a property, and where the current list has it. */
interface NamedProperty extends Place {
  readonly name: string
  readonly key: string
  readonly isOmitted: boolean
  readonly isRenamed: boolean
  readonly isValid: boolean
  /** Whether the values of the key are texts. */
  readonly isText: boolean
  /** The place of the key, when another name may be renamed to it. */
  readonly shared: Place | undefined
}

/** Kept names of a table; an entry is mostly below 300 bytes. Invalid names, which may be long, are not kept. */
const NAMES_MAX = 4096

/** The names of one table that are known. */
interface KnownNames {
  readonly names: ForeignNames
  readonly byName: Map<string, NamedProperty>
  readonly shared: ReadonlyMap<string, Place>
}

const KNOWN = new WeakMap<ForeignNames, KnownNames>()

function knownOf(names: ForeignNames): KnownNames {
  const known = KNOWN.get(names)
  if (known !== undefined) return known
  const targets = Object.values(names.properties)
  const shared = new Map(targets.map((key): [string, Place] => [key, { list: 0, at: 0 }]))
  const created = { names, byName: new Map<string, NamedProperty>(), shared }
  KNOWN.set(names, created)
  return created
}

function lookUp(name: string, { names, byName, shared }: KnownNames): NamedProperty {
  const found = byName.get(name)
  if (found !== undefined) return found
  const renamed = Object.hasOwn(names.properties, name) ? names.properties[name] : undefined
  const key = renamed ?? name
  const property = {
    name,
    key,
    isOmitted: names.omitted.has(name) || SERVER_OWNED_PROPERTIES.has(name),
    isRenamed: renamed !== undefined && renamed !== name,
    isValid: checkPropertyKey(key, key.startsWith('$') ? 'auto' : 'custom') === undefined,
    isText: Object.hasOwn(PROMOTED_PROPERTIES, key),
    shared: shared.get(key),
    list: 0,
    at: 0,
  }
  byName.set(name, property)
  return property
}

/** Number of the list that is being filled. */
let lists = 0

/**
 * Collects the plain JSON properties of one event and converts them. A name that is added again has its last value. Only one list is
 * filled at a time. Speed: `dialect/segment-15`.
 */
export class ForeignProperties {
  readonly #known: KnownNames
  readonly #list = ++lists
  readonly #named: NamedProperty[] = []
  readonly #plain: unknown[] = []

  constructor(names: ForeignNames) {
    this.#known = knownOf(names)
  }

  /** Adds a property under its name in the source. */
  add(name: string, plain: unknown): void {
    const property = lookUp(name, this.#known)
    if (property.isOmitted) return
    if (property.list === this.#list) {
      this.#plain[property.at] = plain
      return
    }
    property.list = this.#list
    property.at = this.#named.length
    this.#named.push(property)
    this.#plain.push(plain)
  }

  /** Adds all members of a plain object. */
  addAll(source: SourceObject): void {
    for (const name in source) this.add(name, source[name])
  }

  /** Whether a name was added. */
  has(name: string): boolean {
    return this.#known.byName.get(name)?.list === this.#list
  }

  /**
   * The properties. A text beyond its limit is cut, and a property that breaks another limit is left out and counted in `changes`
   * instead of the whole event. Objects and lists become JSON text, whose parts queries read by a dotted name.
   */
  fit(changes: ForeignChange[]): PlainProperties {
    const keys: string[] = []
    const values: PlainValue[] = []
    let isCut = false
    let isRepaired = false
    let leftOut = 0
    for (let index = 0; index < this.#named.length; index++) {
      const property = this.#named[index]
      const plain = this.#plain[index]
      if (property === undefined) break
      const { key, shared } = property
      if (!property.isValid) this.#known.byName.delete(property.name)
      const value = readValue(plain, property)
      if (value === undefined) continue
      const place = shared !== undefined && shared.list === this.#list ? shared.at : -1
      // A property that has the auto property's own name takes precedence over one that is renamed to it.
      if (property.isRenamed && place >= 0) continue
      const fitting = fitValue(value, plain)
      if (typeof fitting === 'string' && fitting !== value) {
        isCut ||= fitting.length !== String(value).length
        isRepaired ||= typeof plain === 'string' && !plain.isWellFormed()
      }
      if (fitting === undefined || !property.isValid || keys.length >= LIMITS.propertyKeysMax) leftOut++
      else if (place >= 0) values[place] = fitting
      else {
        if (shared !== undefined) {
          shared.list = this.#list
          shared.at = keys.length
        }
        keys.push(key)
        values.push(fitting)
      }
    }
    if (this.#known.byName.size > NAMES_MAX) this.#known.byName.clear()
    if (isCut) changes.push('text_cut')
    if (isRepaired) changes.push('characters_replaced')
    for (let count = 0; count < leftOut; count++) changes.push('property_left_out')
    return new PlainProperties(keys, values)
  }
}

/** Makes a value valid, or answers `undefined`: JSON text that is cut would not be JSON any more. */
function fitValue(value: PlainValue, plain: unknown): PlainValue | undefined {
  if (typeof value === 'string') {
    if (value.length <= LIMITS.stringCodePointsMax && value.isWellFormed()) return value
    const fitting = cutText(value).toWellFormed()
    return fitting === value || typeof plain === 'string' ? fitting : undefined
  }
  if (typeof value !== 'bigint') return value
  return checkPropertyValue({ type: 'int', value }) === undefined ? value : undefined
}

function readValue(plain: unknown, { key, isText }: NamedProperty): PlainValue | undefined {
  switch (typeof plain) {
    case 'string':
      if (plain === NO_REFERRER && REFERRERS.has(key)) return undefined
      return isText && IN_LOWER_CASE.has(key) ? plain.toLowerCase() : plain
    case 'boolean':
    case 'bigint':
      return plain
    case 'number':
      if (!Number.isFinite(plain)) return undefined
      // Libraries send the version of a browser as a number.
      return isText ? String(plain) : plain
    case 'object':
      return plain === null ? undefined : JSON.stringify(plain)
    case 'undefined':
      return undefined
    default:
      throw new TypeError(`a record has a ${typeof plain}`)
  }
}

/** Properties with a note on a clock that is wrong. */
export function noteSkew(
  properties: PlainProperties,
  skewMs: number | undefined,
  changes: ForeignChange[],
): PlainProperties {
  if (skewMs === undefined || properties.keys.length >= LIMITS.propertyKeysMax) return properties
  changes.push('clock_skewed')
  return properties.with(new PlainProperties(['$clock_skew_ms'], [skewMs]))
}
