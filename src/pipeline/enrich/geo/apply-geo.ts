import type { EnrichedRow } from '../enriched-row.ts'
import type { GeoFacts } from './geo-facts.ts'

/** The properties that the server answers for together, with the part of the facts that each holds. */
const GEO_PROPERTIES = [
  ['$country', 'country'],
  ['$region', 'region'],
  ['$city', 'city'],
  ['$continent', 'continent'],
  ['$postalCode', 'postalCode'],
  ['$latitude', 'latitude'],
  ['$longitude', 'longitude'],
  ['$timezone', 'timezone'],
] as const satisfies readonly (readonly [string, keyof GeoFacts])[]

/**
 * Overwrites the place of an event. A known place is taken whole: a client's city next to our country would be a place
 * that does not exist, so parts that we do not know are removed. When nothing is known a client's values stay: a server
 * that sends events for its users is then the only one who knows where they are.
 */
export function applyGeo(row: EnrichedRow, facts: GeoFacts | undefined): void {
  if (facts === undefined) return
  for (const [property, part] of GEO_PROPERTIES) {
    const value = facts[part]
    if (value === undefined) row.remove(property)
    else if (typeof value === 'number') row.setDouble(property, value)
    else row.setText(property, value)
  }
}
