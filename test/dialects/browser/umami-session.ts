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

/** Sends as Umami's tracker does, which no package contains: JSON by `fetch`, with the `cache` of the last answer in a header. */
const TRACKER = `(() => {
  let cache
  const send = async (type, more) => {
    const payload = {
      website: 'shop',
      hostname: location.hostname,
      language: navigator.language,
      referrer: '',
      screen: screen.width + 'x' + screen.height,
      title: document.title,
      url: location.href,
      ...more,
    }
    const headers = { 'Content-Type': 'application/json', ...(cache && { 'x-umami-cache': cache }) }
    const options = { method: 'POST', keepalive: true, headers, credentials: 'omit' }
    const response = await fetch(umamiUrl, { ...options, body: JSON.stringify({ type, payload }) })
    cache = (await response.json()).cache
  }
  let id
  let last = Promise.resolve()
  const queue = (type, more) => { last = last.then(() => send(type, { ...more, id })).catch(() => {}) }
  window.sdk = {
    track: (name, data) => queue('event', { name, data }),
    identify: (user, data) => { last = last.then(() => { id = user }); queue('identify', { data }) },
    perform: (vitals) => queue('performance', vitals),
  }
})()`

const VISITOR = { who: '~visitor', session: '~visit' }

function callsOf(n: number): readonly Call[] {
  return [
    ['track'],
    ['track', 'um Signed Up', { n, ...VALUES.sent }],
    // Equal calls are two events: the tracker sends neither an id nor a time.
    ['track', 'um_twice', {}],
    ['track', 'um_twice', {}],
    ['track', 'um_long', { n, ...LONG.sent }],
    ['track', 'um_order', { n, revenue: priceOf(n), currency: 'EUR' }],
    ['perform', { lcp: 1200 + n, inp: 80, cls: 0.05, fcp: 700, ttfb: 'slow' }],
    ['identify', `um-${n}`, { plan: 'pro', name: nameOf(n) }],
    ['track', 'um_known', { n }],
    ['identify', undefined, { plan: 'of no user' }],
  ]
}

function rowsOf(n: number): readonly ExpectedRow[] {
  const rows = [
    { kind: 'page_view', custom: {} },
    { kind: 'um.._Signed.._Up', custom: { event_name: 'um Signed Up', n, ...VALUES.stored } },
    { kind: 'um_twice', custom: {} },
    { kind: 'um_twice', custom: {} },
    { kind: 'um_long', custom: { n, ...LONG.stored } },
    { kind: 'um_order', custom: { n, revenue: priceOf(n), currency: 'EUR' } },
    { kind: 'web_vitals', custom: { lcp: 1200 + n, inp: 80, cls: 0.05, fcp: 700 } },
    { kind: 'um_known', who: `um-${n}`, session: `~visit ${n}`, custom: { n } },
  ]
  return rows.map((row) => ({ ...VISITOR, ...row }))
}

/** The format of Umami's tracker, which never sends again either. */
export const UMAMI_SESSION: BrowserSession = {
  name: 'the tracker of Umami',
  script: async () => TRACKER,
  lost: /\/api\/send$/,
  start: ({ url, key }) => `window.umamiUrl = '${url}/umami/${key}/api/send'`,
  steps: [
    { visit: PATH },
    { calls: PEOPLE.flatMap(callsOf) },
    { stored: 8 * PEOPLE.length },
    { outage: [['track', 'um_outage', {}]] },
    { calls: [['track', 'um_end', {}]] },
  ],
  auto: {
    $title: 'Lamps',
    $pathname: '/lamps',
    $utmSource: 'news',
    $browser: 'HeadlessChrome',
    $deviceType: 'desktop',
    $lib: 'umami',
  },
  expected: {
    rows: [...PEOPLE.flatMap(rowsOf), { ...VISITOR, kind: 'um_end', custom: {} }],
    claims: {},
    traits: Object.fromEntries(PEOPLE.map((n) => [`um-${n}`, { plan: 'pro', name: nameOf(n) }])),
    answers: [
      { kind: 'page_view', aggregation: 'TOTAL', total: PEOPLE.length },
      { kind: 'um_known', aggregation: 'UNIQUE_USERS', total: PEOPLE.length },
      { kind: 'um_order', aggregation: 'SUM', property: 'revenue', total: REVENUE },
    ],
  },
}
