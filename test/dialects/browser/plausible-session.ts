import {
  type BrowserSession,
  type Call,
  callInParts,
  type ExpectedRow,
  LONG,
  PATH,
  PEOPLE,
  priceOf,
  REVENUE,
  VALUES,
} from './browser-session.ts'
import { bundleModule } from './sdk-script.ts'

/** The one visitor without a cookie whom the SDK has in a browser. */
const VISITOR = { who: '~visitor', session: '~visit' }

function callsOf(n: number): readonly Call[] {
  const revenue = { amount: String(priceOf(n)), currency: 'EUR' }
  return [
    ['open', `/lamps/${n}`],
    ['track', 'Signed Up', { props: { n, ...VALUES.sent } }],
    // Equal calls are two events: the SDK sends neither an id nor a time.
    ['track', 'pat_twice', {}],
    ['track', 'pat_twice', {}],
    ['track', 'pat_long', { props: { n, ...LONG.sent } }],
    ['track', 'Purchase', { props: { n }, revenue }],
    ['track', 'pat_quiet', { props: { n }, interactive: false }],
    ['track', 'pat_elsewhere', { props: { n }, url: `https://other.test/${n}` }],
    ['track', 'Outbound Link: Click', { props: { url: `https://other.test/${n}` } }],
    ['track', '', { props: { n } }],
  ]
}

function rowsOf(n: number): readonly ExpectedRow[] {
  const auto = { $pathname: `/lamps/${n}`, $utmSource: '' }
  const rows = [
    { kind: 'page_view', custom: {} },
    { kind: 'Signed.._Up', custom: { event_name: 'Signed Up', n, ...VALUES.stored } },
    { kind: 'pat_twice', custom: {} },
    { kind: 'pat_twice', custom: {} },
    { kind: 'pat_long', custom: { n, ...LONG.stored } },
    { kind: 'Purchase', custom: { n, revenue: priceOf(n), currency: 'EUR' } },
    { kind: 'pat_quiet', custom: { n, interactive: false } },
    { kind: 'pat_elsewhere', auto: { $pathname: `/${n}` }, custom: { n } },
    { kind: 'outbound_link_click', custom: { url: `https://other.test/${n}` } },
  ]
  return rows.map((row) => ({ ...VISITOR, ...row, auto: { ...auto, ...row.auto } }))
}

const people = PEOPLE.length

/** @plausible-analytics/tracker: it never sends again, and so what it sends in an outage is lost. */
export const PLAUSIBLE_SESSION: BrowserSession = {
  name: '@plausible-analytics/tracker',
  script: async () => await bundleModule('@plausible-analytics/tracker/plausible.js', 'plausible'),
  lost: /\/api\/event$/,
  start: ({ url, key }) => {
    const options = {
      domain: 'shop.test',
      endpoint: `${url}/plausible/${key}/api/event`,
      captureOnLocalhost: true,
      outboundLinks: true,
    }
    // Its start replaces the global.
    return `const { init, track } = plausible
      init(${JSON.stringify(options)})
      window.sdk = { track, open: (path) => history.pushState({}, '', path) }`
  },
  steps: [
    { visit: PATH },
    ...callInParts(callsOf, { before: 1, rowsEach: 9 }),
    { outage: [['track', 'pat_outage', {}]] },
    { calls: [['track', 'pat_end', {}]] },
  ],
  auto: {
    $pathname: `/lamps/${people - 1}`,
    $browser: 'HeadlessChrome',
    $deviceType: 'desktop',
    $lib: 'plausible',
  },
  expected: {
    rows: [
      { ...VISITOR, kind: 'page_view', auto: { $pathname: '/lamps', $utmSource: 'news' }, custom: {} },
      ...PEOPLE.flatMap(rowsOf),
      { ...VISITOR, kind: 'pat_end', custom: {} },
    ],
    claims: {},
    traits: {},
    answers: [
      { kind: 'page_view', aggregation: 'TOTAL', total: people + 1 },
      { kind: 'page_view', aggregation: 'UNIQUE_USERS', includeCookieless: true, total: 1 },
      { kind: 'pat_twice', aggregation: 'TOTAL', total: 2 * people },
      { kind: 'Purchase', aggregation: 'SUM', property: 'revenue', total: REVENUE },
    ],
  },
}
