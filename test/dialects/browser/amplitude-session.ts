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

/** Revenue has the name of Amplitude, and events with such a name have no page. */
const NO_PAGE = { $title: '', $pathname: '', $utmSource: '' }

const hasOptedOut = (person: number): boolean => person % 5 === 0

/** What one person does: before and after the sign-in, in a group, and opted out for a while. */
function callsOf(n: number): readonly Call[] {
  const optedOut: readonly Call[] = [
    ['setOptOut', true],
    ['track', 'ab_hidden', { n }],
    ['setOptOut', false],
  ]
  return [
    ['track', 'ab step', { n, place: 'before' }],
    ['setUserId', `ab-${n}`],
    ['change', { set: { plan: 'pro', name: nameOf(n) }, setOnce: { first: 'mail' } }],
    ['change', { add: { logins: 1 } }],
    ['track', 'ab step', { n, place: 'after', ...VALUES.sent }],
    ['buy', { productId: 'lamp', price: priceOf(n), quantity: 2, properties: { n } }],
    ['setGroup', 'company', 'acme'],
    ['track', 'ab_long', { n, ...LONG.sent }],
    ['track', 'ab_late', { n }],
    ...(hasOptedOut(n) ? optedOut : []),
    ['track', '', { n }],
    ['reset'],
  ]
}

function rowsOf(n: number): readonly ExpectedRow[] {
  const ids = { who: `ab-${n}`, session: `~visit ${n}` }
  const anonymous = { ...ids, who: `~anonymous ${n}` }
  const step = { event_name: 'ab step', n }
  const order = { productId: 'lamp', price: priceOf(n), quantity: 2, revenue: 2 * priceOf(n) }
  return [
    { kind: 'ab.._step', ...anonymous, custom: { ...step, place: 'before' } },
    { kind: 'ab.._step', ...ids, custom: { ...step, place: 'after', ...VALUES.stored } },
    { kind: 'revenue_amount', ...ids, auto: NO_PAGE, custom: { n, ...order } },
    { kind: 'ab_long', ...ids, custom: { n, ...LONG.stored } },
    { kind: 'ab_late', ...ids, custom: { n } },
  ]
}

const people = PEOPLE.length
const first = { who: '~anonymous zoe', session: '~visit zoe' }
const last = { who: `~anonymous ${people}`, session: `~visit ${people}` }

/** The SDK's values with methods are made in the page. */
const SDK = `Object.assign(Object.create(amplitude), {
  change: (operations) => {
    const identify = new amplitude.Identify()
    for (const [name, values] of Object.entries(operations))
      for (const [key, value] of Object.entries(values)) identify[name](key, value)
    amplitude.identify(identify)
  },
  buy: ({ productId, price, quantity, properties }) => {
    const revenue = new amplitude.Revenue().setProductId(productId).setPrice(price).setQuantity(quantity)
    amplitude.revenue(revenue.setEventProperties(properties))
  },
})`

/** analytics-browser of Amplitude: page views and sessions by itself, opting out, an outage, and what is left for the next page. */
export const AMPLITUDE_SESSION: BrowserSession = {
  name: '@amplitude/analytics-browser',
  script: async () => await readScript('@amplitude/analytics-browser/lib/scripts/amplitude-min.js'),
  lost: /\/httpapi$/,
  start: ({ url, key }) => {
    const options = {
      serverUrl: `${url}/amplitude/2/httpapi`,
      fetchRemoteConfig: false,
      flushIntervalMillis: 200,
      // By default the SDK gives up after five.
      flushMaxRetries: 200,
      autocapture: { attribution: false, pageViews: true, sessions: true, elementInteractions: false },
    }
    return `amplitude.init('${key}', undefined, ${JSON.stringify(options)}).promise
      .then(() => { window.sdk = ${SDK} })`
  },
  steps: [
    { visit: PATH },
    // The answer to the first request is lost: it has no changes of traits, which the SDK might repeat after later ones.
    { sent: /\/httpapi$/, times: 1 },
    {
      calls: [
        ['setUserId', 'ab-zoe'],
        ['change', { set: { plan: 'pro', gone: 1 }, setOnce: { first: 'mail' } }],
      ],
    },
    { profile: 'ab-zoe' },
    {
      calls: [
        ['change', { set: { plan: 'team' }, setOnce: { first: 'late' }, unset: { gone: '-' } }],
        ['reset'],
      ],
    },
    { calls: PEOPLE.flatMap(callsOf) },
    { stored: 2 + 5 * people },
    { outage: [['track', 'ab_outage', { n: 1 }]] },
    { stored: 3 + 5 * people },
    { calls: [['track', 'ab_end', { n: 1 }]] },
    // What a page has not sent at its end is sent by the next one.
    { visit: '/next' },
    { stored: 5 + 5 * people },
  ],
  added: /^\[Amplitude\] /,
  auto: {
    $title: 'Lamps',
    $pathname: '/lamps',
    $utmSource: 'news',
    $browser: 'HeadlessChrome',
    $deviceType: 'desktop',
    $lib: 'amplitude-ts-sdk-script',
  },
  expected: {
    rows: [
      { kind: 'page_view', ...first, custom: {} },
      { kind: 'session_start', ...first, custom: {} },
      ...PEOPLE.flatMap(rowsOf),
      { kind: 'ab_outage', ...last, custom: { n: 1 } },
      { kind: 'ab_end', ...last, custom: { n: 1 } },
      { kind: 'page_view', ...last, auto: { $pathname: '/next', $utmSource: '' }, custom: {} },
    ],
    claims: {
      '~anonymous zoe': 'ab-zoe',
      ...Object.fromEntries(PEOPLE.map((n) => [`~anonymous ${n}`, `ab-${n}`])),
    },
    traits: {
      'ab-zoe': { plan: 'team', first: 'mail' },
      ...Object.fromEntries(
        PEOPLE.map((n) => [`ab-${n}`, { plan: 'pro', name: nameOf(n), first: 'mail', company: 'acme' }]),
      ),
    },
    answers: [
      { kind: 'ab.._step', aggregation: 'TOTAL', total: 2 * people },
      // The ids before and after the sign-in are one person each.
      { kind: 'ab.._step', aggregation: 'UNIQUE_USERS', total: people },
      { kind: 'revenue_amount', aggregation: 'SUM', property: 'revenue', total: 2 * REVENUE },
    ],
  },
}
