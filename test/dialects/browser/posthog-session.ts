import {
  type BrowserSession,
  type Call,
  type ExpectedRow,
  LONG,
  nameOf,
  PATH,
  PEOPLE,
  priceOf,
  REVENUE,
  VALUES,
} from './browser-session.ts'
import { readScript } from './sdk-script.ts'

/** Only views have the title of the page. */
const VIEW = { $title: 'Lamps' }

const hasOptedOut = (person: number): boolean => person % 5 === 0

/** What one person does: before and after the sign-in, opted out for a while, and under an older id. */
function callsOf(n: number): readonly Call[] {
  const optedOut: readonly Call[] = [
    ['opt_out_capturing'],
    ['capture', 'js_hidden', { n }],
    ['opt_in_capturing', { captureEventName: false }],
  ]
  return [
    ['capture', '$pageview', { n }],
    ['capture', 'js step', { n, place: 'before' }],
    ['identify', `ph-${n}`, { plan: 'pro', name: nameOf(n) }, { first: 'mail', none: null }],
    ['capture', 'js step', { n, place: 'after', ...VALUES.sent }],
    ['group', 'company', 'acme', { size: 5 }],
    ['capture', 'Order Completed', { n, revenue: priceOf(n), currency: 'EUR' }],
    ['capture', 'js_long', { n, ...LONG.sent }],
    ['capture', 'js_change', { n, $set: { team: 'blue' } }],
    ...(hasOptedOut(n) ? optedOut : []),
    ['alias', `ph-old-${n}`],
    ['capture', '', { n }],
    ['reset'],
  ]
}

function rowsOf(n: number): readonly ExpectedRow[] {
  const ids = { who: `ph-${n}`, session: `~visit ${n}` }
  const anonymous = { ...ids, who: `~anonymous ${n}` }
  const step = { event_name: 'js step', n }
  const order = { event_name: 'Order Completed', n, revenue: priceOf(n), currency: 'EUR' }
  return [
    { kind: 'page_view', ...anonymous, auto: VIEW, custom: { n } },
    { kind: 'js.._step', ...anonymous, custom: { ...step, place: 'before' } },
    { kind: 'js.._step', ...ids, custom: { ...step, place: 'after', ...VALUES.stored } },
    { kind: 'Order.._Completed', ...ids, custom: order },
    { kind: 'js_long', ...ids, custom: { n, ...LONG.stored } },
    { kind: 'js_change', ...ids, custom: { n } },
  ]
}

function claimsOf(n: number): readonly (readonly [string, string])[] {
  return [
    [`~anonymous ${n}`, `ph-${n}`],
    [`ph-old-${n}`, `ph-${n}`],
  ]
}

const people = PEOPLE.length
const first = { who: '~anonymous zoe', session: '~visit zoe' }
const last = { who: `~anonymous ${people}`, session: `~visit ${people}` }
const cookieless = { who: '~cookieless', session: '~cookieless visit' }

const CHANGE = { $set: { plan: 'team' }, $set_once: { first: 'late' }, $unset: ['gone'] }

/** posthog-js: autocapture, opting out, an outage, a visitor without a cookie, and a beacon at the end of the page. */
export const POSTHOG_SESSION: BrowserSession = {
  name: 'posthog-js',
  script: async () => await readScript('posthog-js/dist/array.js'),
  lost: /\/e\/$/,
  start: ({ url, key }) => {
    const options = {
      api_host: `${url}/posthog`,
      opt_out_useragent_filter: true,
      disable_surveys: true,
      capture_dead_clicks: false,
      request_queue_config: { flush_interval_ms: 250 },
      // The SDK drops more than ten events a second after the first hundred.
      rate_limiting: { events_per_second: 1000 },
    }
    const quiet = {
      ...options,
      autocapture: false,
      capture_pageview: false,
      capture_pageleave: false,
      cookieless_mode: 'always',
    }
    return `posthog.init('${key}', ${JSON.stringify(options)})
      posthog.init('${key}', ${JSON.stringify(quiet)}, 'quiet')
      window.sdk = posthog`
  },
  forms: ['gzip', 'beacon'],
  steps: [
    { visit: PATH },
    // The answer to the view of the page is lost, and so it comes twice.
    { sent: /\/e\//, times: 1 },
    { calls: [['capture', 'js_first', { n: 1 }]] },
    { sent: /\/e\//, times: 3 },
    // Requests may overtake each other, and the last change of a trait wins.
    { calls: [['identify', 'ph-zoe', { plan: 'pro', gone: 1 }, { first: 'mail' }]] },
    { profile: 'ph-zoe' },
    { calls: [['capture', 'js_change', { n: -1, ...CHANGE }], ['reset']] },
    { calls: PEOPLE.flatMap(callsOf) },
    { stored: 3 + 6 * people },
    { outage: [['capture', 'js_outage', { n: 1 }]] },
    { stored: 4 + 6 * people },
    { until: 'posthog.autocapture.isEnabled' },
    { click: '#buy' },
    {
      calls: [
        ['quiet.capture', 'js_quiet', { n: 1 }],
        ['quiet.capture', 'js_quiet', { n: 2 }],
        ['capture', 'js_end', { n: 1 }],
      ],
    },
  ],
  auto: {
    $pathname: '/lamps',
    $utmSource: 'news',
    $browser: 'Chrome',
    $deviceType: 'desktop',
    $lib: 'web',
  },
  expected: {
    rows: [
      // The view of the page itself, and its end.
      { kind: 'page_view', ...first, auto: VIEW, custom: {} },
      { kind: 'page_leave', ...last, custom: {} },
      { kind: 'js_first', ...first, custom: { n: 1 } },
      { kind: 'js_change', ...first, who: 'ph-zoe', custom: { n: -1 } },
      ...PEOPLE.flatMap(rowsOf),
      { kind: 'js_outage', ...last, custom: { n: 1 } },
      { kind: 'click', ...last, custom: {} },
      { kind: 'js_quiet', ...cookieless, custom: { n: 1 } },
      { kind: 'js_quiet', ...cookieless, custom: { n: 2 } },
      { kind: 'js_end', ...last, custom: { n: 1 } },
    ],
    claims: Object.fromEntries([['~anonymous zoe', 'ph-zoe'] as const, ...PEOPLE.flatMap(claimsOf)]),
    traits: {
      'ph-zoe': { plan: 'team', first: 'mail' },
      ...Object.fromEntries(
        PEOPLE.map((n) => [`ph-${n}`, { plan: 'pro', name: nameOf(n), first: 'mail', team: 'blue' }]),
      ),
    },
    answers: [
      { kind: 'js.._step', aggregation: 'TOTAL', total: 2 * people },
      // The ids before and after the sign-in are one person each.
      { kind: 'js.._step', aggregation: 'UNIQUE_USERS', total: people },
      { kind: 'page_view', aggregation: 'UNIQUE_USERS', total: people + 1 },
      { kind: 'Order.._Completed', aggregation: 'SUM', property: 'revenue', total: REVENUE },
      { kind: 'js_quiet', aggregation: 'UNIQUE_USERS', includeCookieless: true, total: 1 },
    ],
  },
}
