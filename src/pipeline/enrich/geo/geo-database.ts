import { readFileSync, type Stats, statSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { isIP } from 'node:net'
import { LRUCache } from 'lru-cache'
import { type CityResponse, Reader } from 'maxmind'
import { type GeoFacts, type GeoPart, readGeoFacts } from './geo-facts.ts'

/** A database of addresses that follows its file. */
export interface GeoDatabase {
  /** What the database knows of an address. */
  find(address: string): GeoFacts | undefined
  /** Counts the versions of the file that were loaded: an answer of an earlier one is stale. */
  readonly version: number
  /** Stops following the file. */
  close(): void
}

/** How often the file is looked at: databases are published weekly at most. */
const LOOK_INTERVAL_MS = 30_000

/** Where databases keep each part, the better place first: the nested form of MaxMind and DB-IP, the flat one of IPinfo. */
const PLACES = {
  country: ['country.iso_code', 'country_code', 'country'],
  region: ['subdivisions.0.names.en', 'subdivisions.0.iso_code', 'region', 'region_code'],
  city: ['city.names.en', 'city'],
  continent: ['continent.code', 'continent_code', 'continent'],
  postalCode: ['postal.code', 'postal_code', 'postal'],
  latitude: ['location.latitude', 'latitude', 'lat'],
  longitude: ['location.longitude', 'longitude', 'lng'],
  timezone: ['location.time_zone', 'timezone'],
} as const satisfies Record<GeoPart, readonly string[]>

/**
 * Opens an MMDB file and loads it again when it changes; replace it by renaming a new file over it. A file that is missing,
 * or is no MMDB file, is told to `onError`, and the one that was loaded before, if any, stays in use. So is damage within the
 * file, once: an event is not refused because nobody knows where it came from.
 */
export function openGeoDatabase(
  path: string,
  onError: (error: Error) => void,
  lookIntervalMs: number = LOOK_INTERVAL_MS,
): GeoDatabase {
  let reader: Reader<CityResponse> | undefined
  let mark: string | undefined
  let version = 0
  let damagedVersion = 0
  try {
    // Marked before it is read: a file that comes between is then loaded at the next look.
    mark = markOf(statSync(path))
    reader = new Reader<CityResponse>(readFileSync(path))
    version++
  } catch (cause) {
    onError(databaseError(path, cause))
  }
  const look = async (): Promise<void> => {
    try {
      const nextMark = markOf(await stat(path))
      if (nextMark === mark) return
      mark = nextMark
      reader = new Reader<CityResponse>(await readFile(path))
      version++
    } catch (cause) {
      onError(databaseError(path, cause))
    }
  }
  const timer = setInterval(() => void look(), lookIntervalMs).unref()
  return {
    find(address) {
      try {
        return reader && findIn(reader, address)
      } catch (cause) {
        if (damagedVersion !== version) onError(databaseError(path, cause))
        damagedVersion = version
        return undefined
      }
    },
    get version() {
      return version
    },
    close: () => clearInterval(timer),
  }
}

/** Throws an error that names the file when it cannot be read or is no MMDB file. */
export function checkGeoDatabase(path: string): void {
  try {
    new Reader<CityResponse>(readFileSync(path))
  } catch (cause) {
    throw databaseError(path, cause)
  }
}

/** What changes when a file is replaced or written to. */
function markOf({ ino, size, mtimeMs }: Stats): string {
  return `${ino} ${size} ${mtimeMs}`
}

function databaseError(path: string, cause: unknown): Error {
  const isUnreadable = cause instanceof Error && 'syscall' in cause && 'code' in cause
  const problem = isUnreadable ? `cannot be read (${cause.code})` : 'is not an MMDB file, or is damaged'
  return new Error(`the GeoIP database ${path} ${problem}`, { cause })
}

function findIn(reader: Reader<CityResponse>, address: string): GeoFacts | undefined {
  const family = isIP(address)
  // A tree of IPv4 addresses would take the first bits of any other address for one.
  if (family === 0 || (family === 6 && reader.metadata.ipVersion === 4)) return undefined
  const record: unknown = reader.get(address)
  return readGeoFacts((part) => {
    for (const place of PLACES[part]) {
      const value = valueAt(record, place)
      if (value !== undefined) return value
    }
    return undefined
  })
}

/** The text or number at a dotted place, as text. */
function valueAt(record: unknown, place: string): string | undefined {
  let value = record
  for (const key of place.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined
    value = Reflect.get(value, key)
  }
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

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
