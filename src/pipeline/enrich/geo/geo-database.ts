import { readFileSync, type Stats, statSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { isIP } from 'node:net'
import { LRUCache } from 'lru-cache'
import { type CityResponse, Reader } from 'maxmind'
import { type GeoFacts, type GeoPart, readGeoFacts } from './geo-facts.ts'

/** A GeoIP database that reloads its file. */
export interface GeoDatabase {
  /** The location of an address, if known. */
  find(address: string): GeoFacts | undefined
  /** Increases with each reload: results of earlier versions are stale. */
  readonly version: number
  /** Stops watching the file. */
  close(): void
}

/** Interval of checks for a new file: databases are published weekly at most. */
const CHECK_INTERVAL_MS = 30_000

/** Paths of each part in a record, in order of preference: nested for MaxMind and DB-IP, flat for IPinfo. */
const PATHS = {
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
 * Opens an MMDB file and reloads it when it changes; replace it by renaming a new file over it. A missing or invalid file is
 * reported to `onError`, and a database that is already loaded stays in use. Damage within the file is reported once per
 * version: events are accepted without a location.
 */
export function openGeoDatabase(
  path: string,
  onError: (error: Error) => void,
  checkIntervalMs: number = CHECK_INTERVAL_MS,
): GeoDatabase {
  let reader: Reader<CityResponse> | undefined
  let fingerprint: string | undefined
  let version = 0
  let damagedVersion = 0
  try {
    // Taken before reading: a file that is replaced in between is reloaded by the next check.
    fingerprint = fingerprintOf(statSync(path))
    reader = new Reader<CityResponse>(readFileSync(path))
    version++
  } catch (cause) {
    onError(databaseError(path, cause))
  }
  const reload = async (): Promise<void> => {
    try {
      const nextFingerprint = fingerprintOf(await stat(path))
      if (nextFingerprint === fingerprint) return
      fingerprint = nextFingerprint
      reader = new Reader<CityResponse>(await readFile(path))
      version++
    } catch (cause) {
      onError(databaseError(path, cause))
    }
  }
  const timer = setInterval(() => void reload(), checkIntervalMs).unref()
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

/** Changes when a file is replaced or written. */
function fingerprintOf({ ino, size, mtimeMs }: Stats): string {
  return `${ino} ${size} ${mtimeMs}`
}

function databaseError(path: string, cause: unknown): Error {
  const isUnreadable = cause instanceof Error && 'syscall' in cause && 'code' in cause
  const problem = isUnreadable ? `cannot be read (${cause.code})` : 'is not an MMDB file, or is damaged'
  return new Error(`the GeoIP database ${path} ${problem}`, { cause })
}

function findIn(reader: Reader<CityResponse>, address: string): GeoFacts | undefined {
  const family = isIP(address)
  // A tree of IPv4 addresses would misread the first bits of an IPv6 address.
  if (family === 0 || (family === 6 && reader.metadata.ipVersion === 4)) return undefined
  const record: unknown = reader.get(address)
  return readGeoFacts((part) => {
    for (const path of PATHS[part]) {
      const value = valueAt(record, path)
      if (value !== undefined) return value
    }
    return undefined
  })
}

/** The text or number at a dotted path, as text. */
function valueAt(record: unknown, path: string): string | undefined {
  let value = record
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined
    value = Reflect.get(value, key)
  }
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

/** Cached result for an address that is not in the database. */
const NOWHERE: GeoFacts = {}

/** Caches results until the database changes: requests of one client arrive close together. */
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
