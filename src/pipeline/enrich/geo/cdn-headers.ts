import { isUtf8 } from 'node:buffer'
import { type GeoFacts, type GeoPart, readGeoFacts } from './geo-facts.ts'

/** Reads a header of a request by its lower-case name. */
export type HeaderReader = (name: string) => string | undefined

interface Cdn {
  /** Header of each part; where a CDN has two for a part, the preferred one first. */
  readonly headers: Readonly<Partial<Record<GeoPart, string | readonly [string, string]>>> & {
    readonly country: string
  }
  /** Header with latitude and longitude, separated by a comma. */
  readonly coordinates?: string
  /** The CDN percent-encodes other characters than ASCII. */
  readonly isPercentEncoded?: true
}

/** The location headers of each CDN. The first CDN with a country is used; headers of different CDNs are not mixed. */
const CDNS: readonly Cdn[] = [
  // Cloudflare
  {
    headers: {
      country: 'cf-ipcountry',
      region: ['cf-region', 'cf-region-code'],
      city: 'cf-ipcity',
      continent: 'cf-ipcontinent',
      postalCode: 'cf-postal-code',
      latitude: 'cf-iplatitude',
      longitude: 'cf-iplongitude',
      timezone: 'cf-timezone',
    },
  },
  // Amazon CloudFront
  {
    headers: {
      country: 'cloudfront-viewer-country',
      region: ['cloudfront-viewer-country-region-name', 'cloudfront-viewer-country-region'],
      city: 'cloudfront-viewer-city',
      postalCode: 'cloudfront-viewer-postal-code',
      latitude: 'cloudfront-viewer-latitude',
      longitude: 'cloudfront-viewer-longitude',
      timezone: 'cloudfront-viewer-time-zone',
    },
  },
  // Vercel
  {
    headers: {
      country: 'x-vercel-ip-country',
      region: 'x-vercel-ip-country-region',
      city: 'x-vercel-ip-city',
      continent: 'x-vercel-ip-continent',
      postalCode: 'x-vercel-ip-postal-code',
      latitude: 'x-vercel-ip-latitude',
      longitude: 'x-vercel-ip-longitude',
      timezone: 'x-vercel-ip-timezone',
    },
    isPercentEncoded: true,
  },
  // Google App Engine
  {
    headers: { country: 'x-appengine-country', region: 'x-appengine-region', city: 'x-appengine-city' },
    coordinates: 'x-appengine-citylatlong',
  },
]

/** All headers of each CDN, the one with the country first. */
const HEADER_NAMES: readonly (readonly string[])[] = CDNS.map(({ headers, coordinates }) => {
  const names = Object.values(headers).flat()
  return coordinates === undefined ? names : [...names, coordinates]
})

/** Adds the headers of CDNs with a country to `picked`; {@link readCdnGeo} validates them. */
export function pickCdnHeaders(header: HeaderReader, picked: Record<string, string>): void {
  for (const names of HEADER_NAMES) {
    for (const name of names) {
      const value = header(name)
      if (value) picked[name] = value
      else if (name === names[0]) break
    }
  }
}

/** Parses the location headers of a CDN; `undefined` when none has a valid country. */
export function readCdnGeo(header: HeaderReader): GeoFacts | undefined {
  for (const cdn of CDNS) {
    const country = header(cdn.headers.country)
    const facts = country === undefined ? undefined : readCdn(cdn, header)
    if (facts !== undefined) return facts
  }
  return undefined
}

function readCdn(
  { headers, coordinates, isPercentEncoded }: Cdn,
  header: HeaderReader,
): GeoFacts | undefined {
  const pair = coordinates === undefined ? undefined : header(coordinates)?.split(',')
  return readGeoFacts((part) => {
    const names = headers[part]
    if (names === undefined)
      return part === 'latitude' ? pair?.[0] : part === 'longitude' ? pair?.[1] : undefined
    const value = typeof names === 'string' ? header(names) : header(names[0]) || header(names[1])
    return value && decodeHeader(value, isPercentEncoded === true)
  })
}

/** Header bytes may arrive as one Latin-1 character each: a name like "São Paulo" is then UTF-8 that needs decoding. */
function decodeHeader(value: string, isPercentEncoded: boolean): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII
  if (!/^[\x00-\x7f]*$/.test(value)) return /^[\0-\xff]*$/.test(value) ? decodeLatin1(value) : value
  return isPercentEncoded ? decodePercent(value) : value
}

function decodeLatin1(value: string): string {
  const bytes = Buffer.from(value, 'latin1')
  return isUtf8(bytes) ? bytes.toString('utf8') : value
}

function decodePercent(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch (error) {
    // A lone % is part of the name.
    if (error instanceof URIError) return value
    throw error
  }
}
