import type { DashboardTileInput } from '@contract/dashboard/dashboards/v1/dashboard_pb.js'
import { Granularity } from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import type { NameKey } from '../i18n/translate.ts'
import type { Place } from './grid-layout.ts'
import {
  Count,
  funnelOf,
  type Insight,
  mapOf,
  type ProjectEvents,
  retentionOf,
  Sessions,
  sessionsOf,
  tileOf,
  topEvents,
  topOf,
  trendOf,
} from './tile-kit.ts'

/** The names that projects give to the events of templates, without case and separators; the usual ones first. */
const NAMES = {
  page: ['pageview', 'page', 'pageviewed', 'screenview', 'screen'],
  signUp: ['signup', 'signedup', 'usersignedup', 'register', 'registered', 'accountcreated', 'usercreated'],
  trial: ['trialstarted', 'starttrial', 'starttrialed'],
  cart: ['addtocart', 'productadded', 'cartadded', 'checkoutstarted', 'begincheckout'],
  purchase: [
    'purchase',
    'purchased',
    'ordercompleted',
    'orderplaced',
    'checkoutcompleted',
    'paymentsucceeded',
    'payment',
    'subscriptionstarted',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>

/** Properties that hold money, without case and separators. */
const MONEY = ['revenue', 'amount', 'price', 'total', 'value', 'ordertotal']

function plainName(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

function findName(names: readonly string[], known: readonly string[]): string | undefined {
  const wanted = known.find((one) => names.some((name) => plainName(name) === one))
  return names.find((name) => plainName(name) === wanted)
}

/** An insight with its place. */
type Placed = readonly [made: Insight, place: Place]

/** The events that play a part in templates; a part that no event plays is absent. */
type Parts = Readonly<Partial<Record<keyof typeof NAMES, string>>> & {
  readonly money: string | undefined
  /** Kinds other than page views, most frequent first. */
  readonly actions: readonly string[]
}

function partsOf({ kinds, numbers }: ProjectEvents): Parts {
  const find = (part: keyof typeof NAMES): string | undefined => findName(kinds, NAMES[part])
  const parts = Object.fromEntries((Object.keys(NAMES) as (keyof typeof NAMES)[]).map((p) => [p, find(p)]))
  return {
    ...parts,
    money: findName(numbers, MONEY),
    actions: kinds.filter((kind) => kind !== parts.page && !kind.startsWith('$')),
  }
}

const at = (x: number, y: number, w: number, h: number): Place => ({ x, y, w, h })

function web({ page = '' }: Parts): readonly Placed[] {
  const [users, views] = [{ kind: page, count: Count.UNIQUE_USERS }, { kind: page }]
  return [
    [trendOf('dashboards.tileVisitors', users, { view: 'kpi' }), at(0, 0, 3, 4)],
    [trendOf('dashboards.tilePageViews', views, { view: 'kpi' }), at(3, 0, 3, 4)],
    [sessionsOf('dashboards.tileSessions', Sessions.SESSIONS), at(6, 0, 3, 4)],
    [sessionsOf('dashboards.tileBounceRate', Sessions.BOUNCE_RATE), at(9, 0, 3, 4)],
    [trendOf('dashboards.tileVisitorsOverTime', users), at(0, 4, 8, 7)],
    [topOf('dashboards.tileChannels', '$channel', { kind: page }), at(8, 4, 4, 7)],
    [topOf('dashboards.tilePages', '$pathname', { kind: page }), at(0, 11, 4, 8)],
    [mapOf('dashboards.tileCountries', page), at(4, 11, 4, 8)],
    [topOf('dashboards.tileDevices', '$deviceType', { kind: page }), at(8, 11, 4, 4)],
    [topOf('dashboards.tileBrowsers', '$browser', { kind: page }), at(8, 15, 4, 4)],
  ]
}

function product({ page = '', signUp, trial, purchase, actions }: Parts): readonly Placed[] {
  const main = actions[0] ?? page
  const steps = [page, signUp, trial, purchase].filter((kind): kind is string => Boolean(kind))
  const path = steps.length > 1 ? steps : [page || main, ...actions.slice(0, 2)]
  return [
    [trendOf('dashboards.tileActivePeople', { kind: '', count: Count.UNIQUE_USERS }), at(0, 0, 8, 8)],
    [
      trendOf('dashboards.tileEventsPerPerson', { kind: '', count: Count.PER_USER_AVG }, { view: 'kpi' }),
      at(8, 0, 4, 4),
    ],
    [sessionsOf('dashboards.tileSessionDuration', Sessions.AVG_DURATION), at(8, 4, 4, 4)],
    [funnelOf('dashboards.tileConversion', [...new Set(path)].slice(0, 4)), at(0, 8, 6, 6)],
    [topEvents('dashboards.tileTopEvents'), at(6, 8, 6, 6)],
    [retentionOf('dashboards.tileWeeklyRetention', [signUp ?? '', '']), at(0, 14, 8, 7)],
    [topOf('dashboards.tileDevices', '$deviceType', { kind: main }), at(8, 14, 4, 7)],
  ]
}

function revenue({ page = '', signUp, cart, purchase = '', money }: Parts): readonly Placed[] {
  const path = [page, signUp ?? cart, purchase].filter((kind): kind is string => Boolean(kind))
  const sum = money === undefined ? undefined : { kind: purchase, count: Count.SUM, property: money }
  const sales: readonly Placed[] = sum
    ? [
        [trendOf('dashboards.tileRevenue', sum, { view: 'kpi' }), at(0, 0, 3, 4)],
        [
          trendOf('dashboards.tileAverageOrder', { ...sum, count: Count.AVG }, { view: 'kpi' }),
          at(6, 0, 3, 4),
        ],
        [trendOf('dashboards.tileRevenueOverTime', sum), at(0, 4, 8, 8)],
        [mapOf('dashboards.tileRevenueByCountry', purchase, sum.property), at(8, 4, 4, 8)],
      ]
    : [[trendOf('dashboards.tileOrdersOverTime', { kind: purchase }), at(0, 4, 12, 8)]]
  const people = { kind: purchase, count: Count.UNIQUE_USERS }
  const [orders, buyers] = sum ? [at(3, 0, 3, 4), at(9, 0, 3, 4)] : [at(0, 0, 6, 4), at(6, 0, 6, 4)]
  return [
    ...sales,
    [trendOf('dashboards.tileOrders', { kind: purchase }, { view: 'kpi' }), orders],
    [trendOf('dashboards.tileBuyers', people, { view: 'kpi' }), buyers],
    [funnelOf('dashboards.tileCheckout', path.length > 1 ? path : ['', purchase]), at(0, 12, 6, 6)],
    [retentionOf('dashboards.tileBuyAgain', [purchase, purchase], Granularity.MONTH), at(6, 12, 6, 6)],
  ]
}

function retention({ page = '', signUp, actions }: Parts): readonly Placed[] {
  const main = actions[0] ?? page
  const first = signUp ?? main
  return [
    [
      trendOf('dashboards.tileNewPeople', { kind: first, count: Count.UNIQUE_USERS }, { view: 'kpi' }),
      at(0, 0, 4, 4),
    ],
    [
      trendOf('dashboards.tileActivePeople', { kind: '', count: Count.UNIQUE_USERS }, { view: 'kpi' }),
      at(4, 0, 4, 4),
    ],
    [
      trendOf('dashboards.tileEventsPerPerson', { kind: '', count: Count.PER_USER_AVG }, { view: 'kpi' }),
      at(8, 0, 4, 4),
    ],
    [retentionOf('dashboards.tileWeeklyRetention', [first, '']), at(0, 4, 12, 7)],
    [retentionOf('dashboards.tileReturnToMain', [first, main]), at(0, 11, 6, 7)],
    [
      trendOf(
        'dashboards.tileWeeklyActive',
        { kind: '', count: Count.UNIQUE_USERS },
        { view: 'bars', granularity: Granularity.WEEK },
      ),
      at(6, 11, 6, 7),
    ],
  ]
}

/** A dashboard that is made of the events of a project. */
interface Template {
  readonly title: NameKey
  readonly text: NameKey
  /** The events that the project has to send first. */
  readonly needs: readonly (keyof typeof NAMES)[]
  readonly make: (parts: Parts) => readonly Placed[]
}

/** The templates, in the order of the page. */
export const TEMPLATES = {
  web: { title: 'dashboards.web', text: 'dashboards.webText', needs: ['page'], make: web },
  product: { title: 'dashboards.product', text: 'dashboards.productText', needs: [], make: product },
  revenue: {
    title: 'dashboards.revenue',
    text: 'dashboards.revenueText',
    needs: ['purchase'],
    make: revenue,
  },
  retention: {
    title: 'dashboards.retention',
    text: 'dashboards.retentionText',
    needs: [],
    make: retention,
  },
} as const satisfies Readonly<Record<string, Template>>

/** The name of a template. */
export type TemplateName = keyof typeof TEMPLATES

/** Whether a project has the events that a template cannot do without. */
export function isPossible(name: TemplateName, events: ProjectEvents): boolean {
  const [parts, needs]: [Parts, Template['needs']] = [partsOf(events), TEMPLATES[name].needs]
  return events.kinds.length > 0 && needs.every((part) => parts[part] !== undefined)
}

/** The tiles of a template, made of the events of a project. */
export function makeTiles(
  name: TemplateName,
  events: ProjectEvents,
  titleOf: (title: NameKey) => string,
): DashboardTileInput[] {
  const { excludeBots } = events
  return TEMPLATES[name]
    .make(partsOf(events))
    .map(([made, position]) => tileOf(made, { titleOf, excludeBots, position }))
}

/** The insights of the web overview that a dashboard can have as tiles. */
export function overviewInsights(events: ProjectEvents): readonly Insight[] {
  return [...web(partsOf(events)), ...product(partsOf(events)).slice(3)]
    .map(([made]) => made)
    .filter(({ title }, index, all) => all.findIndex((other) => other.title === title) === index)
}
