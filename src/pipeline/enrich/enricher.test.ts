import { afterAll, expect, test } from 'vitest'
import { MapRow } from '../../../test/harness/map-row.ts'
import { createEnricher, type EnrichmentRequest } from './enricher.ts'
import { readEnrichmentHeaders } from './enrichment-headers.ts'

const enricher = createEnricher()
afterAll(() => enricher.close())

const HEADERS: Readonly<Record<string, string>> = {
  'cf-ipcountry': 'DE',
  'cf-bot-score': '42',
  'cf-verified-bot': 'false',
}
const USER_AGENT =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36'
const NOTHING: EnrichmentRequest = { headers: undefined, userAgent: undefined, clientAddress: undefined }

test('facts of a request survive the transfer between threads', () => {
  const headers = readEnrichmentHeaders((name) => HEADERS[name])
  const request = structuredClone({ headers, userAgent: USER_AGENT, clientAddress: '192.0.2.1' })
  const facts = structuredClone(enricher.forRequest(request))
  const row = new MapRow([['$url', { type: 'string', value: 'https://example.com/a' }]])
  enricher.enrich(row, facts)
  const values = [...row.properties].map(([key, { value }]) => [key, value])
  expect(Object.fromEntries(values)).toEqual({
    $url: 'https://example.com/a',
    $country: 'DE',
    $bot_score: 42n,
    $verified_bot: false,
    $browser: 'Chrome',
    $browserVersion: '138.0.0.0',
    $os: 'Windows',
    $osVersion: '10',
    $deviceType: 'desktop',
    $mobile: false,
    $pathname: '/a',
    $hostname: 'example.com',
    $channel: 'Direct',
  })
})

test('a request without facts adds no properties', () => {
  const row = new MapRow()
  enricher.enrich(row, enricher.forRequest(NOTHING))
  expect(row.properties.size).toBe(0)
})

test('a client never learns or stores the address or the user agent', () => {
  const row = new MapRow()
  enricher.enrich(row, enricher.forRequest({ ...NOTHING, userAgent: USER_AGENT, clientAddress: '192.0.2.1' }))
  const texts = [...row.properties.values()].map(({ value }) => String(value))
  expect(texts.filter((text) => text.includes('192.0.2.1') || text.includes('Mozilla'))).toEqual([])
})

test('facts of a user agent are cached, and a very long one is cut', () => {
  const read = (userAgent: string) => enricher.forRequest({ ...NOTHING, userAgent }).userAgent
  expect(read(USER_AGENT)).toBe(read(USER_AGENT))
  expect(read(USER_AGENT + ' '.repeat(100_000))).toMatchObject({ browser: 'Chrome' })
})

test('no CDN headers are picked from a request without them', () => {
  expect(readEnrichmentHeaders(() => undefined)).toBeUndefined()
  expect(readEnrichmentHeaders(() => '')).toBeUndefined()
})

test('an invalid GeoIP database is reported, and locations are unknown', () => {
  const errors: string[] = []
  const geoipPath = import.meta.filename
  const opened = createEnricher({ geoipPath, onGeoipError: (error) => errors.push(error.message) })
  expect(opened.forRequest({ ...NOTHING, clientAddress: '81.2.69.142' }).geo).toBeUndefined()
  expect(errors).toEqual([expect.stringContaining('is not an MMDB file')])
  opened.close()
})
