import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { MapRow } from '../../../../test/harness/map-row.ts'
import { stockText } from '../../event/stock-text.ts'
import { checkGeoDatabase, createAddressReader, type GeoDatabase, openGeoDatabase } from './geo-database.ts'
import { applyGeo, geoProperties } from './geo-facts.ts'

type Value = string | number | readonly Value[] | { readonly [key: string]: Value }

/** Encodes a value as the data section of MMDB has it: type and size in a control byte, then the content. */
function encode(value: Value, integer: 'uint16' | 'double' = 'double'): Buffer {
  if (typeof value === 'string')
    return Buffer.concat([control(2, Buffer.byteLength(value)), Buffer.from(value)])
  if (typeof value === 'number') return integer === 'double' ? encodeDouble(value) : encodeUint16(value)
  if (Array.isArray(value))
    return Buffer.concat([Buffer.from([value.length, 4]), ...value.map((item) => encode(item))])
  const entries = Object.entries(value)
  return Buffer.concat([
    control(7, entries.length),
    ...entries.flatMap(([key, item]) => [encode(key), encode(item, integer)]),
  ])
}

function control(type: number, size: number): Buffer {
  return size < 29 ? Buffer.from([(type << 5) | size]) : Buffer.from([(type << 5) | 29, size - 29])
}

function encodeDouble(value: number): Buffer {
  const bytes = Buffer.alloc(9, (3 << 5) | 8)
  bytes.writeDoubleBE(value, 1)
  return bytes
}

function encodeUint16(value: number): Buffer {
  return Buffer.from([(5 << 5) | 2, value >> 8, value & 0xff])
}

/** A database of one network: all addresses whose first byte is the given one. */
function createMmdb(options: { ipVersion: 4 | 6; firstByte: number; record: Value }): Buffer {
  const { ipVersion, firstByte, record } = options
  const depth = ipVersion === 6 ? 104 : 8
  const bits = Array.from({ length: depth }, (_, at) =>
    at < depth - 8 ? 0 : (firstByte >> (depth - 1 - at)) & 1,
  )
  // A record of the tree is the next node, the node count for "unknown", or a place in the data beyond it.
  const nodes = bits.map((bit, node) => {
    const next = node === depth - 1 ? depth + 16 : node + 1
    return Buffer.concat([uint24(bit === 0 ? next : depth), uint24(bit === 0 ? depth : next)])
  })
  const metadata = {
    node_count: depth,
    record_size: 24,
    ip_version: ipVersion,
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1,
    database_type: 'test',
  }
  const marker = Buffer.from('abcdef4d61784d696e642e636f6d', 'hex')
  return Buffer.concat([...nodes, Buffer.alloc(16), encode(record), marker, encode(metadata, 'uint16')])
}

function uint24(value: number): Buffer {
  return Buffer.from([value >> 16, (value >> 8) & 0xff, value & 0xff])
}

const NESTED = {
  city: { names: { de: 'München', en: 'Munich' } },
  continent: { code: 'EU' },
  country: { iso_code: 'DE', names: { en: 'Germany' } },
  location: { latitude: 48.13, longitude: 11.57, time_zone: 'Europe/Berlin' },
  postal: { code: '80331' },
  subdivisions: [{ iso_code: 'BY', names: { en: 'Bavaria' } }],
}

const MUNICH = {
  country: 'DE',
  region: 'Bavaria',
  city: 'Munich',
  continent: 'EU',
  postalCode: '80331',
  latitude: 48.13,
  longitude: 11.57,
  timezone: 'Europe/Berlin',
}

let folder = ''
let database: GeoDatabase | undefined
const onError = vi.fn<(error: Error) => void>()

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'geo-'))
})

afterEach(() => {
  database?.close()
  rmSync(folder, { recursive: true })
  onError.mockReset()
})

function write(name: string, bytes: string | Buffer): string {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return path
}

function open(bytes: Buffer, intervalMs?: number): GeoDatabase {
  database = openGeoDatabase(write('geo.mmdb', bytes), onError, intervalMs)
  return database
}

test('an address in the database has a location, others have none', () => {
  const { find } = open(createMmdb({ ipVersion: 6, firstByte: 81, record: NESTED }))
  expect(find('81.2.69.142')).toEqual(MUNICH)
  expect(['82.0.0.1', '2001:db8::1', '', 'localhost', '81.2.69', 'fe80::1%eth0'].map(find)).toEqual(
    Array(6).fill(undefined),
  )
})

test('an address of IPv6 is not looked up among those of IPv4', () => {
  const { find } = open(createMmdb({ ipVersion: 4, firstByte: 0x20, record: NESTED }))
  expect(find('32.1.2.3')).toEqual(MUNICH)
  expect(find('2001:db8::1')).toBeUndefined()
})

test.each<[string, Value, unknown]>([
  [
    'flat records',
    {
      country: 'US',
      region: 'California',
      city: 'Fresno',
      postal: '93650',
      lat: '36.8',
      lng: '-119.8',
      timezone: 'America/Los_Angeles',
    },
    {
      country: 'US',
      region: 'California',
      city: 'Fresno',
      postalCode: '93650',
      latitude: 36.8,
      longitude: -119.8,
      timezone: 'America/Los_Angeles',
    },
  ],
  [
    'flat records with codes',
    { country: 'France', country_code: 'FR', continent: 'Europe', continent_code: 'EU' },
    { country: 'FR', continent: 'EU' },
  ],
  [
    'a region without a name',
    { country: { iso_code: 'DE' }, subdivisions: [{ iso_code: 'BY' }] },
    { country: 'DE', region: 'BY' },
  ],
  ['a record without a country', { city: { names: { en: 'Munich' } } }, undefined],
  ['a record of something else', { autonomous_system_number: 1 }, undefined],
])('%s are read', (_, record, facts) => {
  expect(open(createMmdb({ ipVersion: 4, firstByte: 10, record })).find('10.0.0.1')).toEqual(facts)
})

test('a missing or invalid file is named in the error', () => {
  const missing = join(folder, 'none.mmdb')
  const text = write('text.mmdb', 'this is no database')
  const empty = write('empty.mmdb', '')
  expect(() => checkGeoDatabase(missing)).toThrow(`${missing} cannot be read (ENOENT)`)
  expect(() => checkGeoDatabase(text)).toThrow(`${text} is not an MMDB file`)
  expect(() => checkGeoDatabase(empty)).toThrow(`${empty} is not an MMDB file`)
  expect(() =>
    checkGeoDatabase(write('geo.mmdb', createMmdb({ ipVersion: 4, firstByte: 10, record: NESTED }))),
  ).not.toThrow()
})

test('locations are unknown while the file is missing or invalid, and known after it is replaced', async () => {
  const path = join(folder, 'geo.mmdb')
  database = openGeoDatabase(path, onError, 5)
  expect(String(onError.mock.calls[0]?.[0])).toContain('cannot be read (ENOENT)')
  expect(database.find('10.0.0.1')).toBeUndefined()
  renameSync(write('next', 'broken'), path)
  await vi.waitUntil(() => String(onError.mock.lastCall?.[0]).includes('is not an MMDB file'))
  renameSync(write('next', createMmdb({ ipVersion: 4, firstByte: 10, record: NESTED })), path)
  await vi.waitUntil(() => database?.version === 1)
  expect(database.find('10.0.0.1')).toEqual(MUNICH)
})

test('a new file takes effect, and a bad one does not', async () => {
  const opened = open(createMmdb({ ipVersion: 4, firstByte: 10, record: { country: 'DE' } }), 5)
  renameSync(
    write('next', createMmdb({ ipVersion: 4, firstByte: 10, record: { country: 'FR' } })),
    join(folder, 'geo.mmdb'),
  )
  await vi.waitUntil(() => opened.version === 2)
  expect(opened.find('10.0.0.1')).toEqual({ country: 'FR' })
  renameSync(write('next', 'broken'), join(folder, 'geo.mmdb'))
  await vi.waitUntil(() => String(onError.mock.lastCall?.[0]).includes('is not an MMDB file'))
  expect(opened.find('10.0.0.1')).toEqual({ country: 'FR' })
})

test('damage within the file is reported once, and locations are unknown', () => {
  const bytes = createMmdb({ ipVersion: 4, firstByte: 10, record: NESTED })
  // The data section starts after 8 nodes of 6 bytes and 16 zeros: a pointer to nowhere.
  bytes.set([0x38, 0xff, 0xff, 0xff, 0xff], 8 * 6 + 16)
  const { find } = open(bytes)
  expect([find('10.0.0.1'), find('10.0.0.2')]).toEqual([undefined, undefined])
  expect(onError).toHaveBeenCalledTimes(1)
})

const client = [
  ['$country', { type: 'int', value: 1n }],
  ['$city', { type: 'string', value: 'Atlantis' }],
  ['$latitude', { type: 'string', value: 'north' }],
  ['$other', { type: 'bool', value: true }],
] as const

test('a known location replaces all values of the client, of any type', () => {
  const row = new MapRow(client)
  applyGeo(row, geoProperties({ country: 'DE', region: 'Berlin', latitude: 52.5 }, stockText))
  expect(Object.fromEntries(row.properties)).toEqual({
    $country: { type: 'string', value: 'DE' },
    $region: { type: 'string', value: 'Berlin' },
    $latitude: { type: 'double', value: 52.5 },
    $other: { type: 'bool', value: true },
  })
})

test("the client's values stay when the location is unknown", () => {
  const row = new MapRow(client)
  applyGeo(row, undefined)
  expect([...row.properties]).toEqual(client)
})

test('results are cached, also missing ones, until the database changes', () => {
  const find = vi.fn((address: string) => (address === '192.0.2.1' ? { country: 'DE' } : undefined))
  const database = { find, version: 1 }
  const read = createAddressReader(database, 2)
  const addresses = ['192.0.2.1', '192.0.2.2', '192.0.2.1', '192.0.2.2']
  expect(addresses.map(read)).toEqual([{ country: 'DE' }, undefined, { country: 'DE' }, undefined])
  expect(find).toHaveBeenCalledTimes(2)
  database.version = 2
  addresses.map(read)
  expect(find).toHaveBeenCalledTimes(4)
})
