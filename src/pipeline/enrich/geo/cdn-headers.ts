import { isUtf8 } from 'node:buffer'
import { type GeoFacts, type GeoPart, readGeoFacts } from './geo-facts.ts'

/** Reads a header of a request by its lower-case name. */
export type HeaderReader = (name: string) => string | undefined

interface Cdn {
  /** Header of each part; a CDN may have two for one part, the better first. */
  readonly headers: Readonly<Partial<Record<GeoPart, string | readonly [string, string]>>> & {
    readonly country: string
  }
  /** Header with latitude and longitude in one value, with a comma between them. */
  readonly coordinates?: string
  /** The CDN percent-encodes what is not ASCII. */
  readonly isPercentEncoded?: true
}

/** What CDNs tell about the place of a client. The first that names a country answers; the others are not mixed in. */
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

/** Picks the headers of the CDNs that name a country into `picked`; whether it is one is for {@link readCdnGeo} to say. */
export function pickCdnHeaders(header: HeaderReader, picked: Record<string, string>): void {
  for (const names of HEADER_NAMES) {
    for (const name of names) {
      const value = header(name)
      if (value) picked[name] = value
      else if (name === names[0]) break
    }
  }
}

/** Reads the headers of the CDN that the request came through; undefined when none names a country. */
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

/** Header bytes may reach us as one character each: a name like "São Paulo" is then UTF-8 in disguise. */
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
    // A lone % is part of the name then.
    if (error instanceof URIError) return value
    throw error
  }
}
