import { describe, expect, test } from 'vitest'
import { MapRow } from '../../../../test/harness/map-row.ts'
import type { PropertyValue } from '../../event/event.ts'
import { applyAttribution } from './apply-attribution.ts'
import { CampaignReader } from './campaign.ts'
import { ReferrerReader } from './referrer.ts'
import { UrlReader } from './url-facts.ts'

const readers = {
  urls: new UrlReader(4),
  referrers: new ReferrerReader(4),
  campaigns: new CampaignReader(),
}
const PAGE = 'https://www.example.com/page'

type Sent = Readonly<Record<string, string | PropertyValue>>

/** The properties of an event after attribution; texts as they are, the rest as values. */
function attribute(sent: Sent, domains: readonly string[] = []): Readonly<Record<string, unknown>> {
  const row = new MapRow(
    Object.entries(sent).map(([key, value]) => [
      key,
      typeof value === 'string' ? { type: 'string', value } : value,
    ]),
  )
  applyAttribution(row, readers, domains)
  const texts = [...row.properties].map(([key, value]) => [
    key,
    value.type === 'string' ? value.value : value,
  ])
  return Object.fromEntries(texts)
}

function channelOf(query: string, referrer?: string): unknown {
  return attribute({ $url: PAGE + query, ...(referrer !== undefined && { $referrer: referrer }) }).$channel
}

describe('channel', () => {
  test.each([
    ['Direct', '', undefined],
    ['Direct', '', ''],
    ['Direct', '', 'not a url'],
    [undefined, '', 'https://www.example.com/other'],
    [undefined, '', 'https://blog.example.com/'],
    ['Paid Search', '?gclid=abc', 'https://www.example.com/other'],
    ['Direct', '?utm_source=(direct)&utm_medium=(none)', undefined],
    ['Organic Search', '', 'https://www.google.com/'],
    ['Organic Search', '', 'https://www.google.co.jp/'],
    ['Organic Search', '', 'https://www.bing.com/search?q=x'],
    ['Organic Search', '', 'android-app://com.google.android.googlequicksearchbox/https/www.google.com'],
    ['Organic Search', '?utm_source=google&utm_medium=organic', undefined],
    ['Organic Search', '?utm_medium=organic', undefined],
    ['Organic Search', '?utm_source=google', undefined],
    ['Organic Social', '', 'https://l.facebook.com/l.php?u=x'],
    ['Organic Social', '', 'https://t.co/abc'],
    ['Organic Social', '?fbclid=abc', 'https://www.facebook.com/'],
    ['Organic Social', '?utm_source=club&utm_medium=social', undefined],
    ['Organic Social', '?utm_source=LinkedIn&utm_medium=post', undefined],
    ['Organic Video', '', 'https://www.youtube.com/watch?v=x'],
    ['Organic Video', '?utm_source=vimeo.com', undefined],
    ['Organic Video', '?utm_source=club&utm_medium=video', undefined],
    ['Paid Search', '?utm_source=google&utm_medium=cpc', undefined],
    ['Paid Search', '?utm_source=Google&utm_medium=CPC', 'https://news.example.org/'],
    ['Paid Search', '?utm_source=club&utm_medium=paidsearch', undefined],
    ['Paid Search', '?gclid=abc', undefined],
    ['Paid Search', '?gclid=abc', 'https://www.google.com/'],
    ['Paid Search', '?msclkid=abc', 'https://www.bing.com/'],
    ['Paid Search', '?utm_source=google&utm_campaign=x&gclid=abc', undefined],
    ['Paid Social', '?utm_source=facebook&utm_medium=cpc', undefined],
    ['Paid Social', '?utm_source=ig&utm_medium=paid_social', undefined],
    ['Paid Social', '?utm_source=facebook&utm_medium=cpm', undefined],
    ['Paid Social', '?ttclid=abc', undefined],
    ['Paid Video', '?utm_source=youtube&utm_medium=cpv', undefined],
    ['Paid Video', '?gclid=abc', 'https://www.youtube.com/'],
    ['Paid Other', '?utm_source=club&utm_medium=cpc', undefined],
    ['Paid Other', '?utm_source=club&utm_medium=paid', 'https://www.google.com/'],
    ['Paid Other', '?utm_source=club&utm_medium=retargeting', undefined],
    ['Display', '?utm_source=club&utm_medium=display', undefined],
    ['Display', '?utm_source=club&utm_medium=cpm', undefined],
    ['Display', '?utm_source=google&utm_medium=banner', undefined],
    ['Display', '?dclid=abc', undefined],
    ['Email', '?utm_source=july&utm_medium=email', undefined],
    ['Email', '?utm_source=newsletter', undefined],
    ['Email', '?utm_source=facebook&utm_medium=E-Mail', undefined],
    ['Email', '', 'https://mail.google.com/mail/u/0/'],
    ['Affiliate', '?utm_source=club&utm_medium=affiliate', undefined],
    ['Affiliate', '?utm_source=youtube&utm_medium=affiliate', undefined],
    ['Referral', '', 'https://news.example.org/story'],
    ['Referral', '', 'https://docs.google.com/document/d/1'],
    ['Referral', '', 'http://192.168.0.1/'],
    ['Referral', '?utm_source=club&utm_medium=referral', undefined],
    ['Referral', '?utm_source=chatgpt.com', 'https://chatgpt.com/'],
    ['Referral', '?utm_campaign=x', 'https://news.example.org/'],
    ['Unassigned', '?utm_source=club', undefined],
    ['Unassigned', '?utm_source=club&utm_medium=push', 'https://news.example.org/'],
    ['Unassigned', '?utm_campaign=x', undefined],
  ])('%s: %s from %s', (channel, query, referrer) => {
    expect(channelOf(query, referrer)).toBe(channel)
  })

  test.each(['', 'page', 'ftp://www.example.com/', 'app://home', 'about:blank'])(
    'an event with the URL %j has none',
    (url) => {
      expect(attribute({ $url: url, $referrer: 'https://www.google.com/' })).not.toHaveProperty('$channel')
    },
  )
})

test('the parts of URL, referrer and campaign are set', () => {
  const query = '?utm_source=A%20b&utm_medium=C&utm_campaign=d+e&utm_term=%C3%A9&utm_content=f&utm_id=g'
  const $url = `https://Shop.example.com:8443/a%20b/${query}#utm_term=x`
  const $referrer = 'https://News.example.org/story?utm_source=no'
  expect(attribute({ $url, $referrer })).toEqual({
    $url,
    $referrer,
    $pathname: '/a%20b/',
    $hostname: 'shop.example.com',
    $referrerDomain: 'news.example.org',
    $utmSource: 'A b',
    $utmMedium: 'C',
    $utmCampaign: 'd e',
    $utmTerm: 'é',
    $utmContent: 'f',
    $channel: 'Unassigned',
  })
})

test('a client keeps its campaign, and the channel follows it', () => {
  const $url = `${PAGE}?utm_source=google&utm_medium=cpc&utm_term=x`
  const sent = { $url, $utmSource: 'facebook', $utmMedium: '', $utmTerm: { type: 'int', value: 1n } } as const
  expect(attribute(sent)).toMatchObject({
    $utmSource: 'facebook',
    $utmMedium: 'cpc',
    $utmTerm: { type: 'int', value: 1n },
    $channel: 'Paid Social',
  })
})

test('derived properties replace those of the client', () => {
  const sent = { $pathname: '/x', $hostname: 'x', $referrerDomain: 'x', $channel: 'x' }
  expect(attribute({ ...sent, $url: PAGE, $referrer: 'https://t.co/' })).toMatchObject({
    $pathname: '/page',
    $hostname: 'www.example.com',
    $referrerDomain: 't.co',
    $channel: 'Organic Social',
  })
})

test('pages of the same site are no referrers, and open no channel', () => {
  const own = ['https://www.example.com/', 'https://example.com/', 'http://blog.example.com:8080/']
  const sent = { $url: PAGE, $referrerDomain: 'example.com', $channel: 'Direct' }
  const events = own.map(($referrer) => attribute({ ...sent, $referrer }))
  expect(events.map(({ $referrerDomain, $channel }) => [$referrerDomain, $channel])).toEqual(
    own.map(() => [undefined, undefined]),
  )
})

test.each([
  ['https://pay.example.org/done', undefined],
  ['https://eu.pay.example.org/done', undefined],
  ['https://xpay.example.org/', 'Referral'],
  ['https://example.org/', 'Referral'],
  ['https://alice.github.io/', undefined],
  ['https://bob.github.io/', 'Referral'],
])("a page of the project's own domains is no referrer: %s", ($referrer, channel) => {
  const own = ['pay.example.org', 'alice.github.io']
  expect(attribute({ $url: PAGE, $referrer }, own).$channel).toBe(channel)
  expect(attribute({ $referrer }, own)).toEqual({
    $referrer,
    ...(channel === undefined ? {} : { $referrerDomain: new URL($referrer).hostname }),
  })
})

test('a referrer is used without a URL', () => {
  expect(attribute({ $referrer: 'https://t.co/x' })).toEqual({
    $referrer: 'https://t.co/x',
    $referrerDomain: 't.co',
  })
})

test('an event without URL and referrer is unchanged', () => {
  const sent = {
    $pathname: '/x',
    $channel: 'Own',
    $utmSource: 'x',
    $url: { type: 'int', value: 1n },
  } as const
  expect(attribute(sent)).toEqual(sent)
})

test('a path is cut when encoding makes it too long', () => {
  const { $pathname } = attribute({ $url: `https://example.com/${'é'.repeat(1000)}` })
  expect($pathname).toHaveLength(1024)
})
