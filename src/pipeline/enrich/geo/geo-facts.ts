import { PROMOTED_INDEX } from '../../../contract/promoted-properties.ts'
import type { EditableRow } from '../../event/event-row.ts'
import { fitText } from '../../event/event-rules.ts'
import type { StockText } from '../../event/stock-text.ts'

/** The location of a request; absent parts are unknown. Plain data: it is sent between threads. */
export interface GeoFacts {
  /** ISO 3166-1 alpha-2. */
  readonly country?: string
  /** Name of the first-level subdivision; its code when no name is known. */
  readonly region?: string
  readonly city?: string
  /** Two letters: AF, AN, AS, EU, NA, OC or SA. */
  readonly continent?: string
  readonly postalCode?: string
  readonly latitude?: number
  readonly longitude?: number
  /** IANA name. */
  readonly timezone?: string
}

/** The parts of {@link GeoFacts}. */
export type GeoPart = keyof GeoFacts

/** Codes that are no country: AP, EU and ISO 3166's user-assigned codes, except XK for Kosovo. */
const NO_COUNTRY = /^(?:A[AP]|EU|Q[M-Z]|X[A-JL-Z]|ZZ)$/
const CONTINENT = /^(?:AF|AN|AS|EU|NA|OC|SA)$/
const TIMEZONE = /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*$/

/** Parsers of the raw values, the country first; `undefined` for an invalid one. */
const READERS = {
  country: (raw) => matching(raw.toUpperCase(), /^[A-Z]{2}$/, NO_COUNTRY),
  region: fitText,
  city: fitText,
  continent: (raw) => matching(raw.toUpperCase(), CONTINENT),
  postalCode: fitText,
  latitude: (raw) => readDegrees(raw, 90),
  longitude: (raw) => readDegrees(raw, 180),
  timezone: (raw) => (raw.length <= 64 ? matching(raw, TIMEZONE) : undefined),
} as const satisfies { readonly [Part in GeoPart]: (raw: string) => GeoFacts[Part] | undefined }

const PARTS = Object.keys(READERS) as readonly GeoPart[]

/** Parses raw values of headers and databases; `undefined` without a valid country. */
export function readGeoFacts(rawOf: (part: GeoPart) => string | undefined): GeoFacts | undefined {
  const facts: Partial<Record<GeoPart, string | number>> = {}
  for (const part of PARTS) {
    const raw = rawOf(part)?.trim()
    const value = raw ? READERS[part](raw) : undefined
    if (value !== undefined) facts[part] = value
    else if (part === 'country') return undefined
  }
  return facts as GeoFacts
}

function matching(text: string, pattern: RegExp, except?: RegExp): string | undefined {
  return pattern.test(text) && !except?.test(text) ? text : undefined
}

function readDegrees(raw: string, max: number): number | undefined {
  if (!/^-?\d{1,3}(?:\.\d{1,20})?$/.test(raw)) return undefined
  const degrees = Number(raw)
  return Math.abs(degrees) <= max ? degrees : undefined
}

/** The location properties with a column, which the server sets together with the others, and their parts. */
const PROMOTED = [
  [PROMOTED_INDEX.$country, 'country'],
  [PROMOTED_INDEX.$region, 'region'],
  [PROMOTED_INDEX.$city, 'city'],
  [PROMOTED_INDEX.$continent, 'continent'],
] as const satisfies readonly (readonly [number, keyof GeoFacts])[]

const OTHERS = [
  ['$postalCode', 'postalCode'],
  ['$latitude', 'latitude'],
  ['$longitude', 'longitude'],
  ['$timezone', 'timezone'],
] as const satisfies readonly (readonly [string, keyof GeoFacts])[]

/** A location as properties; those without a value are unknown. Plain data. */
export interface GeoProperties {
  /** Texts, by index of their properties. */
  readonly promoted: readonly (readonly [index: number, value: StockText | undefined])[]
  readonly others: readonly (readonly [key: string, value: string | number | undefined])[]
}

/** The properties that follow from facts: made once for all events of a request. */
export function geoProperties(facts: GeoFacts, encode: (text: string) => StockText): GeoProperties {
  return {
    promoted: PROMOTED.map(([index, part]) => {
      const text = facts[part]
      return [index, text === undefined ? undefined : encode(text)]
    }),
    others: OTHERS.map(([key, part]) => [key, facts[part]]),
  }
}

/**
 * Sets the location of an event. A known location replaces all parts, also by removing unknown ones: a client's city beside a
 * derived country could be a location that does not exist. Without a known location, the client's values stay: a server that
 * sends events for its users knows where they are.
 */
export function applyGeo(row: EditableRow, properties: GeoProperties | undefined): void {
  if (properties === undefined) return
  for (const [index, value] of properties.promoted) {
    if (value === undefined) row.removePromoted(index)
    else row.setPromoted(index, value)
  }
  for (const [key, value] of properties.others) {
    if (value === undefined) row.remove(key)
    else if (typeof value === 'number') row.setDouble(key, value)
    else row.setText(key, value)
  }
}
