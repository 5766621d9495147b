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

/** The SDK cuts texts after 255 units of UTF-16, and so in the middle of a character. */
const CUT = `${'𝄞'.repeat(127)}\uFFFD`

/** What one person does: before and after the sign-in. */
function callsOf(n: number): readonly Call[] {
  return [
    ['track_pageview', { n }],
    ['track', 'mpb step', { n, place: 'before' }],
    ['identify', `mpb-${n}`],
    ['people.set', { plan: 'pro', $name: nameOf(n), gone: 1 }],
    ['people.set_once', { plan: 'free', first: 'mail' }],
    ['people.unset', ['gone']],
    ['people.increment', 'logins'],
    ['track', 'mpb step', { n, place: 'after', ...VALUES.sent }],
    ['track', 'mpb_order', { n, amount: priceOf(n) }],
    ['track', 'mpb_long', { n, ...LONG.sent }],
    ['track', '', { n }],
    ['reset'],
  ]
}

function rowsOf(n: number): readonly ExpectedRow[] {
  const ids = { who: `mpb-${n}`, session: `~visit ${n}` }
  const anonymous = { ...ids, who: `~anonymous ${n}` }
  const step = { event_name: 'mpb step', n }
  return [
    { kind: 'page_view', ...anonymous, auto: { $title: 'Lamps' }, custom: { n } },
    { kind: 'mpb.._step', ...anonymous, custom: { ...step, place: 'before' } },
    { kind: 'mpb.._step', ...ids, custom: { ...step, place: 'after', ...VALUES.stored } },
    { kind: 'mpb_order', ...ids, custom: { n, amount: priceOf(n) } },
    { kind: 'mpb_long', ...ids, custom: { n, text: CUT } },
  ]
}

const people = PEOPLE.length
const last = { who: `~anonymous ${people}`, session: `~visit ${people}` }

/** mixpanel-browser: opting out, an outage, and what is left for the next page. */
export const MIXPANEL_SESSION: BrowserSession = {
  name: 'mixpanel-browser',
  script: async () => await readScript('mixpanel-browser/dist/mixpanel.umd.js'),
  lost: /\/engage\/$/,
  start: ({ url, key }) => {
    const options = {
      api_host: `${url}/mixpanel`,
      batch_flush_interval_ms: 300,
      persistence: 'localStorage',
    }
    return `mixpanel.init('${key}', ${JSON.stringify(options)})
      window.sdk = mixpanel`
  },
  forms: ['beacon'],
  steps: [
    { visit: PATH },
    // Before anything else: opting out discards what the SDK has not sent.
    {
      calls: [
        ['opt_out_tracking', { delete_user: false }],
        ['track', 'mpb_hidden', { n: 1 }],
        ['opt_in_tracking'],
      ],
    },
    { calls: PEOPLE.flatMap(callsOf) },
    { stored: 1 + 5 * people },
    { outage: [['track', 'mpb_outage', { n: 1 }]] },
    { stored: 2 + 5 * people },
    { calls: [['track', 'mpb_end', { n: 1 }]] },
    // What a page has not sent at its end is sent by the next one.
    { visit: '/next' },
    { calls: [['track', 'mpb_next', { n: 1 }]] },
    { stored: 4 + 5 * people },
  ],
  added: /^(mp_|current_url_)/,
  auto: {
    $pathname: '/lamps',
    $utmSource: 'news',
    $browser: 'Chrome',
    $deviceType: 'desktop',
  },
  expected: {
    rows: [
      ...PEOPLE.flatMap(rowsOf),
      {
        kind: '..24.opt_in',
        who: '~anonymous 0',
        session: '~visit 0',
        custom: { event_name: '$opt_in' },
      },
      { kind: 'mpb_outage', ...last, custom: { n: 1 } },
      { kind: 'mpb_end', ...last, custom: { n: 1 } },
      // The SDK keeps the campaign.
      { kind: 'mpb_next', ...last, auto: { $pathname: '/next' }, custom: { n: 1 } },
    ],
    claims: Object.fromEntries(PEOPLE.map((n) => [`~anonymous ${n}`, `mpb-${n}`])),
    traits: Object.fromEntries(
      PEOPLE.map((n) => [`mpb-${n}`, { plan: 'pro', name: nameOf(n), first: 'mail' }]),
    ),
    answers: [
      { kind: 'mpb.._step', aggregation: 'TOTAL', total: 2 * people },
      // The ids before and after the sign-in are one person each.
      { kind: 'mpb.._step', aggregation: 'UNIQUE_USERS', total: people },
      { kind: 'mpb_order', aggregation: 'SUM', property: 'amount', total: REVENUE },
    ],
  },
}
