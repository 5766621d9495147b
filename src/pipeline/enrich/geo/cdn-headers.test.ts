import { expect, test } from 'vitest'
import { readEnrichmentHeaders } from '../enrichment-headers.ts'
import { readCdnGeo } from './cdn-headers.ts'

type Headers = Readonly<Record<string, string>>

/** As a request passes through: picked in one thread, copied, and read in another. */
function read(headers: Headers): unknown {
  const picked = structuredClone(readEnrichmentHeaders((name) => headers[name]))
  return picked && readCdnGeo((name) => picked[name])
}

const CLOUDFLARE = {
  'cf-ipcountry': 'DE',
  'cf-region': 'Land Berlin',
  'cf-region-code': 'BE',
  'cf-ipcity': 'Berlin',
  'cf-ipcontinent': 'EU',
  'cf-postal-code': '10115',
  'cf-iplatitude': '52.52',
  'cf-iplongitude': '-13.40500',
  'cf-timezone': 'Europe/Berlin',
}

const BERLIN = {
  country: 'DE',
  region: 'Land Berlin',
  city: 'Berlin',
  continent: 'EU',
  postalCode: '10115',
  latitude: 52.52,
  longitude: -13.405,
  timezone: 'Europe/Berlin',
}

test.each<[string, Headers, unknown]>([
  ['Cloudflare', CLOUDFLARE, BERLIN],
  ['a country alone', { 'cf-ipcountry': 'fr' }, { country: 'FR' }],
  [
    'a code where there is no name',
    { 'cf-ipcountry': 'DE', 'cf-region-code': 'BE' },
    { country: 'DE', region: 'BE' },
  ],
  [
    'CloudFront',
    {
      'cloudfront-viewer-country': 'JP',
      'cloudfront-viewer-country-region': '13',
      'cloudfront-viewer-country-region-name': 'Tokyo',
      'cloudfront-viewer-city': 'Chiyoda',
      'cloudfront-viewer-time-zone': 'Asia/Tokyo',
    },
    { country: 'JP', region: 'Tokyo', city: 'Chiyoda', timezone: 'Asia/Tokyo' },
  ],
  [
    'Vercel, which percent-encodes',
    {
      'x-vercel-ip-country': 'BR',
      'x-vercel-ip-country-region': 'SP',
      'x-vercel-ip-city': 'S%C3%A3o%20Paulo',
    },
    { country: 'BR', region: 'SP', city: 'São Paulo' },
  ],
  [
    'a percent sign that encodes nothing',
    { 'x-vercel-ip-country': 'BR', 'x-vercel-ip-city': '100%' },
    { country: 'BR', city: '100%' },
  ],
  [
    'App Engine',
    {
      'x-appengine-country': 'US',
      'x-appengine-city': 'mountain view',
      'x-appengine-citylatlong': '37.38,-122.08',
    },
    { country: 'US', city: 'mountain view', latitude: 37.38, longitude: -122.08 },
  ],
  [
    'UTF-8 read as Latin-1',
    { 'cf-ipcountry': 'BR', 'cf-ipcity': 'S\u00c3\u00a3o Paulo' },
    { country: 'BR', city: 'São Paulo' },
  ],
  ['Latin-1', { 'cf-ipcountry': 'BR', 'cf-ipcity': 'S\u00e3o Paulo' }, { country: 'BR', city: 'São Paulo' }],
  ['UTF-8', { 'cf-ipcountry': 'CZ', 'cf-ipcity': 'Plzeň' }, { country: 'CZ', city: 'Plzeň' }],
  [
    'only the first CDN',
    { 'cf-ipcountry': 'DE', 'x-vercel-ip-country': 'US', 'x-vercel-ip-city': 'Austin' },
    { country: 'DE' },
  ],
  [
    'the next CDN when the first sends no country',
    { 'cf-ipcountry': 'XX', 'x-vercel-ip-country': 'US' },
    { country: 'US' },
  ],
  ['no country', { 'cf-ipcity': 'Berlin' }, undefined],
  ['nothing', {}, undefined],
])('%s', (_, headers, facts) => {
  expect(read(headers)).toEqual(facts)
})

test.each(['XX', 'T1', 'ZZ', 'EU', 'AP', 'A1', 'O1', 'QM', 'XZ', 'AA', '', ' ', 'D', 'DEU', 'Ä1', '??'])(
  '%j is no country',
  (country) => {
    expect(read({ ...CLOUDFLARE, 'cf-ipcountry': country })).toBeUndefined()
  },
)

test('Kosovo is a country, although its code is user-assigned', () => {
  expect(read({ 'cf-ipcountry': 'XK' })).toEqual({ country: 'XK' })
})

test.each([
  ['cf-iplatitude', '91'],
  ['cf-iplatitude', 'NaN'],
  ['cf-iplatitude', '1e1'],
  ['cf-iplongitude', '-180.1'],
  ['cf-ipcontinent', 'T1'],
  ['cf-ipcontinent', 'Europe'],
  ['cf-timezone', 'Europe Berlin'],
  ['cf-timezone', 'x'.repeat(65)],
  ['cf-ipcity', '   '],
])('%s %j has no facts', (name, value) => {
  const facts = read({ ...CLOUDFLARE, [name]: value })
  expect(Object.keys(facts as object)).toHaveLength(7)
})

test('a name above the limit is cut', () => {
  expect(read({ 'cf-ipcountry': 'DE', 'cf-ipcity': 'b'.repeat(2000) })).toEqual({
    country: 'DE',
    city: 'b'.repeat(1024),
  })
})
