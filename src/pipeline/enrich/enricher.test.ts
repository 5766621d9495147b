import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { MapRow } from '../../../test/harness/map-row.ts'
import type { PropertyValue } from '../event/event.ts'
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
const NOTHING: EnrichmentRequest = {
  headers: undefined,
  userAgent: undefined,
  clientAddress: undefined,
  isPublicKey: true,
  domains: [],
}

test('facts of a request survive the transfer between threads', () => {
  const headers = readEnrichmentHeaders((name) => HEADERS[name])
  const request = structuredClone({
    headers,
    userAgent: USER_AGENT,
    clientAddress: '192.0.2.1',
    isPublicKey: true,
    domains: [],
  })
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
  expect(read(USER_AGENT + ' '.repeat(100_000))).toEqual(read(USER_AGENT))
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

const GOOGLEBOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'
const LISTED = '198.51.100.7'

describe('bots', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bots-'))
  const botNetworksPath = join(folder, 'networks')
  const referrerSpamPath = join(folder, 'spam')
  writeFileSync(botNetworksPath, '198.51.100.0/24\n')
  writeFileSync(referrerSpamPath, 'spam.example\n')
  const marking = createEnricher({ botNetworksPath, referrerSpamPath })
  afterAll(() => {
    marking.close()
    rmSync(folder, { recursive: true })
  })

  /** The value of `$bot` after enrichment. */
  function markOf(
    request: Partial<EnrichmentRequest>,
    sent: readonly (readonly [string, PropertyValue])[] = [],
  ): PropertyValue | undefined {
    const row = new MapRow(sent)
    marking.enrich(row, marking.forRequest({ ...NOTHING, ...request }))
    return row.properties.get('$bot')
  }

  const BOT = { type: 'bool', value: true } as const

  test.each([
    ['a browser', { userAgent: USER_AGENT }, undefined],
    ['a bot by its user agent', { userAgent: GOOGLEBOT }, BOT],
    ['a bot by its address', { userAgent: USER_AGENT, clientAddress: LISTED }, BOT],
    ['another address', { userAgent: USER_AGENT, clientAddress: '198.51.101.7' }, undefined],
    ['a user agent with a private key', { userAgent: GOOGLEBOT, isPublicKey: false }, undefined],
    ['an address with a private key', { clientAddress: LISTED, isPublicKey: false }, undefined],
    ['a low score of the CDN', { headers: { 'cf-bot-score': '29' } }, BOT],
    ['a low score with a private key', { headers: { 'cf-bot-score': '1' }, isPublicKey: false }, BOT],
    ['a high score', { headers: { 'cf-bot-score': '30' } }, undefined],
    ['no score', { headers: { 'cf-bot-score': '0' } }, undefined],
    ['a verified bot', { headers: { 'cf-bot-score': '99', 'cf-verified-bot': 'true' } }, BOT],
    [
      'a bot that the CDN takes for a human',
      { headers: { 'cf-bot-score': '99' }, userAgent: GOOGLEBOT },
      BOT,
    ],
  ])('%s is marked as it should be', (_, request, mark) => {
    expect(markOf(request)).toEqual(mark)
  })

  test.each([
    ['a public key may not set the mark', { isPublicKey: true }, undefined],
    ['a private key may set it', { isPublicKey: false }, { type: 'bool', value: false }],
    ['the CDN overrules a private key', { isPublicKey: false, headers: { 'cf-bot-score': '2' } }, BOT],
  ])('%s', (_, request, mark) => {
    expect(markOf(request, [['$bot', { type: 'bool', value: false }]])).toEqual(mark)
  })

  test.each([
    ['https://spam.example/x', BOT],
    ['https://www.spam.example/', BOT],
    ['https://notspam.example/', undefined],
    ['https://example.com/?from=spam.example', undefined],
  ])('the referrer %s is marked as it should be', (referrer, mark) => {
    const sent = [['$referrer', { type: 'string', value: referrer }]] as const
    expect([markOf({}, sent), markOf({ isPublicKey: false }, sent)]).toEqual([mark, mark])
  })

  test('ingestion continues without a list that has become unusable', () => {
    const errors: string[] = []
    const opened = createEnricher({
      botNetworksPath: join(folder, 'gone'),
      onListError: (error) => errors.push(error.message),
    })
    const facts = opened.forRequest({ ...NOTHING, userAgent: GOOGLEBOT, clientAddress: LISTED })
    expect([facts.botMark, errors]).toEqual(['set', [expect.stringContaining('gone')]])
    opened.close()
  })
})
