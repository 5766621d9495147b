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
  type Step,
  type Target,
  VALUES,
} from './browser-session.ts'
import { readScript } from './sdk-script.ts'

/** An SDK with the calls of Segment's specification. */
interface SpecifiedSdk {
  readonly name: string
  /** The beginning of all names and ids. */
  readonly prefix: string
  readonly library: string
  readonly script: () => Promise<string>
  readonly start: (target: Target) => string
  /** What the caller removes, and the SDK keeps. */
  readonly keptTraits?: Readonly<Record<string, unknown>>
}

/** Page views and events. */
const SENT = /\/v1\/(p|page|t|track)$/

const ROWS_EACH = 6

/** What one person does: before and after the sign-in, in a group, and under an older id. */
function stepsOf(prefix: string, n: number): readonly Step[] {
  const before: readonly Call[] = [
    ['page', 'Shop', { n }],
    ['track', `${prefix} step`, { n, place: 'before' }],
  ]
  const after: readonly Call[] = [
    ['identify', `${prefix}-${n}`, { plan: 'pro', name: nameOf(n), nested: { a: [1, 2] } }],
    ['track', `${prefix} step`, { n, place: 'after', ...VALUES.sent }],
    ['track', 'Order Completed', { n, revenue: priceOf(n), currency: 'EUR' }],
    ['track', `${prefix}_long`, { n, ...LONG.sent }],
    ['group', 'acme', { size: 5 }],
    ['track', `${prefix}_late`, { n }],
    ['alias', `${prefix}-${n}`, `${prefix}-old-${n}`],
    // RudderStack's SDK keeps the anonymous id unless it is told to forget it.
    ['reset', true],
  ]
  // analytics.js adds the user to what is still waiting when it sends. The first call has come twice.
  return [{ calls: before }, { sent: SENT, times: 2 + ROWS_EACH * n + before.length }, { calls: after }]
}

function rowsOf(prefix: string, n: number): readonly ExpectedRow[] {
  const ids = { who: `${prefix}-${n}`, session: `~visit ${n}` }
  const anonymous = { ...ids, who: `~anonymous ${n}` }
  const step = { event_name: `${prefix} step`, n }
  const order = { event_name: 'Order Completed', n, revenue: priceOf(n), currency: 'EUR' }
  return [
    { kind: 'page_view', ...anonymous, custom: { name: 'Shop', n } },
    { kind: `${prefix}.._step`, ...anonymous, custom: { ...step, place: 'before' } },
    { kind: `${prefix}.._step`, ...ids, custom: { ...step, place: 'after', ...VALUES.stored } },
    { kind: 'Order.._Completed', ...ids, custom: order },
    { kind: `${prefix}_long`, ...ids, custom: { n, ...LONG.stored } },
    { kind: `${prefix}_late`, ...ids, custom: { n } },
  ]
}

const people = PEOPLE.length

function createSession({ prefix, keptTraits, library, ...sdk }: SpecifiedSdk): BrowserSession {
  const zoe = `${prefix}-zoe`
  const last = { who: `~anonymous ${people}`, session: `~visit ${people}` }
  const claimsOf = (n: number): readonly (readonly [string, string])[] => [
    [`~anonymous ${n}`, `${prefix}-${n}`],
    [`${prefix}-old-${n}`, `${prefix}-${n}`],
  ]
  return {
    ...sdk,
    lost: /\/v1\/(t|track)$/,
    steps: [
      { visit: PATH },
      // Sent again after a sign-in, it would have another user.
      { calls: [['track', `${prefix}_first`, { n: 1 }]] },
      { sent: /\/v1\/(t|track)$/, times: 2 },
      // Requests may overtake each other, and the last change of a trait wins.
      { calls: [['identify', zoe, { plan: 'pro', gone: 'soon' }]] },
      { profile: zoe },
      {
        calls: [
          ['identify', zoe, { plan: 'team', gone: null }],
          ['reset', true],
        ],
      },
      ...PEOPLE.flatMap((n) => stepsOf(prefix, n)),
      { stored: 1 + ROWS_EACH * people },
      { outage: [['track', `${prefix}_outage`, { n: 1 }]] },
      { stored: 2 + ROWS_EACH * people },
      { calls: [['track', `${prefix}_end`, { n: 1 }]] },
      // Requests under way end with the page.
      { stored: 3 + ROWS_EACH * people },
    ],
    auto: {
      $title: 'Lamps',
      $pathname: '/lamps',
      $utmSource: 'news',
      $browser: 'HeadlessChrome',
      $deviceType: 'desktop',
      $lib: library,
    },
    expected: {
      rows: [
        { kind: `${prefix}_first`, who: '~anonymous zoe', session: '~visit zoe', custom: { n: 1 } },
        ...PEOPLE.flatMap((n) => rowsOf(prefix, n)),
        { kind: `${prefix}_outage`, ...last, custom: { n: 1 } },
        { kind: `${prefix}_end`, ...last, custom: { n: 1 } },
      ],
      claims: Object.fromEntries([['~anonymous zoe', zoe] as const, ...PEOPLE.flatMap(claimsOf)]),
      traits: {
        [zoe]: { plan: 'team', ...keptTraits },
        ...Object.fromEntries(
          PEOPLE.map((n) => [`${prefix}-${n}`, { plan: 'pro', name: nameOf(n), nested: { a: [1, 2] } }]),
        ),
      },
      answers: [
        { kind: `${prefix}.._step`, aggregation: 'TOTAL', total: 2 * people },
        // The ids before and after the sign-in are one person each.
        { kind: `${prefix}.._step`, aggregation: 'UNIQUE_USERS', total: people },
        { kind: 'Order.._Completed', aggregation: 'SUM', property: 'revenue', total: REVENUE },
      ],
    },
  }
}

/** analytics.js of Segment: every event is a request. */
export const SEGMENT_SESSION = createSession({
  name: '@segment/analytics-next',
  prefix: 'ajs',
  library: 'analytics.js',
  script: async () => await readScript('@segment/analytics-next/dist/umd/index.js'),
  start: ({ url, key }) => {
    const settings = { writeKey: key, cdnURL: `${url}/segment` }
    return `const analytics = AnalyticsNext.AnalyticsBrowser.load(${JSON.stringify(settings)})
      analytics.then(() => { window.sdk = analytics })`
  },
})

/** RudderStack's SDK for browsers, which has sessions of its own. */
export const RUDDERSTACK_SESSION = createSession({
  name: '@rudderstack/analytics-js',
  prefix: 'rjs',
  library: 'RudderLabs JavaScript SDK',
  keptTraits: { gone: 'soon' },
  script: async () => await readScript('@rudderstack/analytics-js/dist/npm/modern/bundled/umd/index.js'),
  start: ({ url, key }) => {
    const address = `${url}/segment`
    // By default the SDK keeps a hundred events, and tries again after up to six minutes.
    const options = { configUrl: address, queueOptions: { maxItems: 10_000, maxRetryDelay: 2000 } }
    return `const rudder = new rudderanalytics.RudderAnalytics()
      rudder.load('${key}', '${address}', ${JSON.stringify(options)})
      rudder.ready(() => { window.sdk = rudder })`
  },
})
