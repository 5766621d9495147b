import { createHash } from 'node:crypto'
import { Prng } from '../../src/kernel/prng.ts'

/** Visits of a shop in the exports of other products, of any length, a line at a time. The same seed makes the same lines. */

const START_MS = Date.UTC(2025, 0, 1)
/** Between two events. */
const STEP_MS = 1700
const EVENTS_OF_VISIT = 5
const PAGES = ['/', '/lamps', '/lamps/tall', '/bücher', '/cart', '/checkout', '/checkout/thanks']
const COUNTRIES = ['Germany', 'United States', 'Japan', 'Türkiye', '(not set)']
const BROWSERS = ['Chrome', 'Safari', 'Firefox', 'Edge']

/** A page view or another event of a visit. */
interface Step {
  readonly index: number
  readonly timeMs: number
  readonly visit: number
  readonly visitor: number
  /** Absent for visitors who have not signed in. */
  readonly userId: string | undefined
  readonly name: 'page_view' | 'scroll' | 'Sign Up' | 'purchase'
  readonly page: string
}

function* makeSteps(count: number, prng: Prng): Iterable<Step> {
  const visitors = Math.max(1, count >> 4)
  for (let index = 0; index < count; index++) {
    const visit = Math.floor(index / EVENTS_OF_VISIT)
    const visitor = (visit * 7919) % visitors
    const kind = prng.below(100)
    yield {
      index,
      timeMs: START_MS + index * STEP_MS + prng.below(1000),
      visit,
      visitor,
      userId: visitor % 4 === 0 ? `user-${visitor}` : undefined,
      name: kind < 70 ? 'page_view' : kind < 90 ? 'scroll' : kind < 97 ? 'Sign Up' : 'purchase',
      page: PAGES[prng.below(PAGES.length)] ?? '/',
    }
  }
}

/** Rows of GA4's export to BigQuery, as `bq extract` writes them, without their line breaks. */
export function* ga4Lines(count: number, seed = 1): Iterable<string> {
  const prng = new Prng(seed)
  for (const step of makeSteps(count, prng)) yield JSON.stringify(toGa4(step, prng))
}

function toGa4({ index, timeMs, visit, visitor, userId, name, page }: Step, prng: Prng): object {
  const url = `https://shop.example${page}?utm_source=news&id=${index}`
  const params = [
    { key: 'ga_session_id', value: { int_value: String(1_735_689_600 + visit) } },
    { key: 'ga_session_number', value: { int_value: '3' } },
    { key: 'page_location', value: { string_value: url } },
    { key: 'page_title', value: { string_value: `Lamps, "tall" ${page}` } },
    { key: 'engagement_time_msec', value: { int_value: String(prng.below(60_000)) } },
    ...(name === 'purchase' ? [{ key: 'value', value: { double_value: prng.below(9000) / 100 } }] : []),
  ]
  const item = { item_id: `sku-${prng.below(500)}`, item_name: 'Lamp', price: 19.9, quantity: '1' }
  return {
    event_date: new Date(timeMs).toISOString().slice(0, 10).replaceAll('-', ''),
    event_timestamp: `${timeMs}123`,
    event_name: name === 'Sign Up' ? 'sign_up' : name,
    event_params: params,
    event_bundle_sequence_id: String(index),
    event_server_timestamp_offset: '0',
    ...(userId === undefined ? {} : { user_id: userId }),
    user_pseudo_id: `${1_000_000 + visitor}.17356896`,
    privacy_info: { analytics_storage: 'Yes', ads_storage: 'Yes', uses_transient_token: 'No' },
    user_properties:
      userId === undefined
        ? []
        : [{ key: 'plan', value: { string_value: visitor % 8 === 0 ? 'pro' : 'free' } }],
    device: {
      category: 'desktop',
      operating_system: 'Macintosh',
      language: 'de-de',
      web_info: {
        browser: BROWSERS[visitor % BROWSERS.length],
        browser_version: '131.0',
        hostname: 'shop.example',
      },
    },
    geo: {
      city: 'Hamburg',
      country: COUNTRIES[visitor % COUNTRIES.length],
      continent: 'Europe',
      region: 'HH',
    },
    traffic_source: { name: '(direct)', medium: '(none)', source: '(direct)' },
    stream_id: '4242',
    platform: 'WEB',
    items: name === 'purchase' ? [item, item] : [],
    is_active_user: true,
  }
}

const UMAMI_COLUMNS =
  'website_id,session_id,visit_id,event_id,hostname,browser,os,device,screen,language,country,region,city,url_path,url_query,utm_source,utm_medium,utm_campaign,utm_content,utm_term,referrer_path,referrer_query,referrer_domain,page_title,gclid,fbclid,msclkid,ttclid,li_fat_id,twclid,event_type,event_name,tag,distinct_id,created_at,job_id'

/** Rows of `website_event.csv` of Umami Cloud, with their header and without their line breaks. */
export function* umamiLines(count: number, seed = 1): Iterable<string> {
  const prng = new Prng(seed)
  yield UMAMI_COLUMNS
  for (const step of makeSteps(count, prng)) yield toUmami(step, prng)
}

function toUmami({ index, timeMs, visit, visitor, userId, name, page }: Step, prng: Prng): string {
  const isView = name === 'page_view'
  const [url, time] = [`id=${index}&utm_source=news`, new Date(timeMs).toISOString()]
  return [
    'b59e9c65-ae32-47f1-8400-119fcf4861c4',
    ...[`session ${visitor}`, `visit ${visit}`, `event ${index}`].map(uuidOf),
    ...[
      'shop.example',
      ['chrome', 'safari', 'firefox'][visitor % 3],
      'Mac OS',
      'laptop',
      '1920x1080',
      'de-DE',
    ],
    ...['DE', 'DE-HH', 'Hamburg', page, url, 'news', '', '', '', ''],
    ...[prng.below(3) === 0 ? '/search' : '', '', prng.below(3) === 0 ? 'google.com' : ''],
    ...[`"Lamps, ""tall"" ${page}"`, '', '', '', '', '', ''],
    ...[isView ? '1' : '2', isView ? '' : name, '', userId ?? ''],
    `${time.slice(0, 10)} ${time.slice(11, 19)}`,
    '',
  ].join(',')
}

/** Rows of `event_data.csv` for the events whose place in {@link umamiLines} is divisible by `each`. */
export function* umamiDataLines(count: number, each: number): Iterable<string> {
  yield 'website_id,session_id,event_id,url_path,event_name,data_key,string_value,number_value,date_value,data_type,created_at,job_id'
  for (let index = 0; index < count; index += each)
    yield `w,s,${uuidOf(`event ${index}`)},/,x,seats,${index},${index}.0000,,2,2025-01-01 00:00:00,`
}

function uuidOf(text: string): string {
  const hex = createHash('md5').update(text).digest('hex')
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5')
}
