import { LRUCache } from 'lru-cache'
import type { GeoDatabase } from './geo-database.ts'
import type { GeoFacts } from './geo-facts.ts'

/** What is remembered of an address that the database does not know. */
const NOWHERE: GeoFacts = {}

/** Remembers what the database answered, until it changes: requests of one client come close together. */
export function createAddressReader(
  database: Pick<GeoDatabase, 'find' | 'version'>,
  addressesMax: number,
): (address: string) => GeoFacts | undefined {
  const known = new LRUCache<string, GeoFacts>({ max: addressesMax })
  let version = database.version
  return (address) => {
    if (version !== database.version) {
      version = database.version
      known.clear()
    }
    let facts = known.get(address)
    if (facts === undefined) {
      facts = database.find(address) ?? NOWHERE
      known.set(address, facts)
    }
    return facts === NOWHERE ? undefined : facts
  }
}
