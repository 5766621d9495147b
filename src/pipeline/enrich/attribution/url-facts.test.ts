import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MapRow } from '../../../../test/harness/map-row.ts'
import { propertyRuns } from '../../../../test/harness/profile.ts'
import { urlTexts } from '../../../../test/harness/url-texts.ts'
import { SourceText } from '../../encode/source-text.ts'
import { cutText } from '../../event/event-rules.ts'
import { CampaignReader } from './campaign.ts'
import { ReferrerReader } from './referrer.ts'
import { siteOf } from './site.ts'
import { CLICK_IDS } from './source-tables.ts'
import { UrlReader } from './url-facts.ts'

const UTM = {
  utm_source: '$utmSource',
  utm_medium: '$utmMedium',
  utm_campaign: '$utmCampaign',
  utm_term: '$utmTerm',
  utm_content: '$utmContent',
} as const

/** Readers that stay for all texts: what is kept of one must not leak into another. */
const urls = new UrlReader(8)
const campaigns = new CampaignReader()
const referrers = new ReferrerReader(8)

/** The facts of a URL, with a text behind it that must not matter. */
function read(text: string): unknown {
  const row = new MapRow()
  const { source } = row
  const start = source.tail
  const length = source.add(text)
  source.add('?utm_source=other#')
  const url = urls.read(source, { start, length })
  if (url === undefined) return undefined
  const pathname = source.text(url.pathStart, url.pathLength)
  const isClick = campaigns.apply(row, url) !== undefined
  const campaign = Object.fromEntries([...row.properties].map(([key, { value }]) => [key, value]))
  return { hostname: url.host.hostname.text, site: url.host.site, pathname, isClick, campaign }
}

/** The slow, obvious twin of {@link read}. */
function readSlowly(text: string): unknown {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined
  const firstOf = (name: string): string | undefined =>
    url.searchParams.getAll(name).find((value) => value !== '')
  const campaign = Object.entries(UTM).flatMap(([name, property]) => {
    const value = firstOf(name)
    return value === undefined ? [] : [[property, cutText(value)]]
  })
  return {
    hostname: url.hostname,
    site: siteOf(url.hostname),
    pathname: cutText(url.pathname),
    isClick: Object.keys(CLICK_IDS).some((name) => firstOf(name) !== undefined),
    campaign: Object.fromEntries(campaign),
  }
}

const CAMPAIGN = fc
  .array(
    fc.tuple(
      fc.constantFrom('utm_source', 'utm_medium', 'gclid', 'x', '%75tm_source', 'UTM_SOURCE', ''),
      fc.oneof(
        fc.constantFrom('google', 'e-mail', 'a+b', '%C3%A4', '%zz', '', 'ä', '<'),
        fc.string({ maxLength: 3 }),
      ),
    ),
    { maxLength: 4 },
  )
  .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join('&'))

const TEXTS = fc.oneof(
  urlTexts(),
  fc.webUrl({ withFragments: true, withQueryParameters: true }),
  CAMPAIGN.map((query) => `https://example.com/a?${query}#top`),
  fc.tuple(urlTexts(), CAMPAIGN).map(([url, query]) => `${url}?${query}`),
  urlTexts().map((text) => `android-app://${text}`),
)

test('a URL has the same facts by its bytes as by WHATWG URL', () => {
  fc.assert(
    fc.property(TEXTS, (text) => {
      // UTF-8 has no lone surrogates.
      const wellFormed = text.toWellFormed()
      const expected = readSlowly(wellFormed)
      expect(read(wellFormed)).toEqual(expected)
      // The second time, what was kept answers.
      expect(read(wellFormed)).toEqual(expected)
    }),
    { numRuns: propertyRuns(5000) },
  )
})

test('a referrer has the same facts by its bytes as by WHATWG URL', () => {
  fc.assert(
    fc.property(TEXTS, (text) => {
      const wellFormed = text.toWellFormed()
      const source = new SourceText(1024)
      const start = source.tail
      const span = { start, length: source.add(wellFormed) }
      source.add('/rest')
      const expected = referrers.ofText(wellFormed)
      expect(referrers.read(source, span)).toEqual(expected)
      expect(referrers.read(source, span)).toEqual(expected)
    }),
    { numRuns: propertyRuns(3000) },
  )
})

test.each([
  'https://a.example/x?utm_source=s',
  'https://a.example/x?utm_source=s#y',
  'https://a.example/x',
  'https://a.example/x/',
  'https://a.example/%2',
  'https://a.example/%',
  'https://a.example',
  'https://a.example ',
  'https://a.ex\tample/x',
  'https://a.example/x?utm_source=s ',
  'https://a.example?',
  'https://a.example/.well-known/x',
  'https://a.example/a/../b',
  'https://a.example/%2E%2e/b',
  'https://example.com',
  'https://example.com/',
  'http://example.com:8080/a/b.html?x=1&y#top',
  'https://example.com?x=1',
  'https://example.com#top',
  'https://localhost:3000/a',
  'HTTPS://Example.COM/A',
  ' https://example.com/a ',
  'https:example.com/a',
  'https://user:word@example.com/a',
  'https://example.com/a/../b/./c',
  'https://example.com/a/%2e%2E/b',
  'https://example.com/.well-known/x',
  'https://example.com\\a',
  'https://example.com/ä b',
  'https://exam\tple.com/a\nb',
  'https://bücher.example/',
  'https://xn--bcher-kva.example/',
  'http://0x7f.1/',
  'http://192.168.0.1/',
  'http://[::1]:80/a',
  'https://example.com./a',
  'https://example.com:65535/a',
  '/a',
  'example.com',
  'https://',
  'https:///',
  'https://?x',
  'https://exa mple.com',
  'https://example.com:65536/',
  'https://example.com:x/',
  'https://xn--a/',
  'http://1.2.3.4.5/',
  'http://256.256.256.256/',
  'ftp://example.com/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'data:text/html,x',
  'blob:https://example.com/1',
  'android-app://com.example',
  'about:blank',
  `https://a.example/${'é'.repeat(1000)}?utm_term=${'é'.repeat(20)}`,
])('the parts of %j are those of WHATWG URL', (text) => {
  expect(read(text)).toEqual(readSlowly(text))
})

test('every form of a host yields the same cached object', () => {
  const forms = ['https://a.example/x', 'http://a.example:8080/y', 'HTTPS://A.example/z/../']
  const hosts = forms.map((text) => {
    const source = new SourceText(1024)
    const start = source.tail
    return urls.read(source, { start, length: source.add(text) })?.host
  })
  expect(hosts.every((host) => host !== undefined && host === hosts[0])).toBe(true)
})
