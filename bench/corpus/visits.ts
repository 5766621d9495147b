import type { Prng } from '../../src/kernel/prng.ts'
import { AGENTS, type Agent, CAMPAIGNS, ENTRIES, PAGES, PLACES, PRODUCTS, SEARCHES } from './vocabulary.ts'

/** An event of a visit, from which each corpus makes what its SDK sends. */
export interface VisitEvent {
  readonly eventId: string
  readonly kind: string
  readonly timeMs: number
  readonly distinctId: string
  /** The id of the browser, which a sign-in does not change. */
  readonly deviceId: string
  readonly sessionId: string
  /** Whether the user is signed in. */
  readonly isUser: boolean
  readonly pathname: string
  /** With the question mark; empty without a query. */
  readonly search: string
  readonly title: string
  /** Empty for a direct visit. */
  readonly referrer: string
  /** Parameters of the campaign that led to this page. */
  readonly campaign: Readonly<Record<string, string>>
  readonly agent: Agent
  readonly language: string
  readonly properties: Readonly<Record<string, string | number | boolean>>
}

/** The host of the made-up shop. */
export const SHOP_HOST = 'shop.example'

interface Visitor {
  readonly distinctId: string
  readonly deviceId: string
  readonly isUser: boolean
  readonly agent: Agent
  readonly language: string
  sessionId: string
  /** Events left of the session. */
  left: number
  /** The page before in this session; empty on its first page. */
  before: string
}

const VISITOR_COUNT = 20_000
const SESSION_EVENTS_MAX = 12
const PRODUCT_PAGES = 3000

/** Kinds as often as they occur: of ten events seven are page views. */
const KINDS = [...new Array<string>(7).fill('page_view'), 'button_click', 'search', 'add_to_cart']

/** `count` events of 20,000 visitors in many short sessions, evenly over `[fromMs, toMs)` and ascending in time. */
export function generateVisits(
  prng: Prng,
  plan: { readonly count: number; readonly fromMs: number; readonly toMs: number },
): VisitEvent[] {
  const visitors = Array.from({ length: VISITOR_COUNT }, () => generateVisitor(prng))
  const stepMs = (plan.toMs - plan.fromMs) / plan.count
  return Array.from({ length: plan.count }, (_, index) => {
    const timeMs = Math.floor(plan.fromMs + (index + prng.unit()) * stepMs)
    const visitor = visitors[Math.floor(prng.unit() ** 2 * VISITOR_COUNT)] ?? prng.pick(visitors)
    return generateEvent(prng, visitor, timeMs)
  })
}

function generateVisitor(prng: Prng): Visitor {
  const isUser = prng.chance(0.3)
  const deviceId = prng.uuid()
  const [, language] = prng.pick(PLACES)
  return {
    distinctId: isUser ? `user_${100_000 + prng.below(900_000)}` : `anon-${deviceId}`,
    deviceId,
    isUser,
    agent: prng.pick(AGENTS),
    language,
    sessionId: '',
    left: 0,
    before: '',
  }
}

function generateEvent(prng: Prng, visitor: Visitor, timeMs: number): VisitEvent {
  const isEntry = visitor.left === 0
  if (isEntry) {
    visitor.sessionId = prng.uuid()
    visitor.left = 1 + prng.below(SESSION_EVENTS_MAX)
  }
  visitor.left--
  const kind = isEntry ? 'page_view' : prng.pick(KINDS)
  const page = generatePage(prng)
  const campaign = isEntry && prng.chance(0.5) ? generateCampaign(prng) : {}
  const search = writeQuery(prng, campaign)
  const referrer = isEntry ? prng.pick(ENTRIES) : visitor.before
  visitor.before = `https://${SHOP_HOST}${page.pathname}${search}`
  const { distinctId, deviceId, sessionId, isUser, agent, language } = visitor
  return {
    eventId: prng.uuid(),
    kind,
    timeMs,
    distinctId,
    deviceId,
    sessionId,
    isUser,
    ...page,
    search,
    referrer,
    campaign,
    agent,
    language,
    properties: generateProperties(prng, kind),
  }
}

/** Half of the pages are those of products, a few of which are seen most. */
function generatePage(prng: Prng): Pick<VisitEvent, 'pathname' | 'title'> {
  if (prng.chance(0.5)) return prng.pick(PAGES)
  const number = Math.floor(prng.unit() ** 3 * PRODUCT_PAGES)
  const product = prng.pick(PRODUCTS)
  return { pathname: `/products/${number}-lamp-with-a-name`, title: `${product} no. ${number}` }
}

/** Every click of an ad has an id of its own. */
function generateCampaign(prng: Prng): Readonly<Record<string, string>> {
  const campaign = prng.pick(CAMPAIGNS)
  if (campaign.utm_medium !== 'cpc') return campaign
  return { ...campaign, gclid: `EAIaIQob${prng.uuid().replaceAll('-', '')}` }
}

function writeQuery(prng: Prng, campaign: Readonly<Record<string, string>>): string {
  const own = prng.chance(0.2) ? { page: String(1 + prng.below(9)), sort: 'price' } : {}
  const query = new URLSearchParams({ ...own, ...campaign }).toString()
  return query === '' ? '' : `?${query}`
}

function generateProperties(prng: Prng, kind: string): VisitEvent['properties'] {
  const product = prng.pick(PRODUCTS)
  switch (kind) {
    case 'page_view':
      return { section: 'catalogue', logged_in: prng.chance(0.3) }
    case 'button_click':
      return { button: 'open-menu', position: prng.below(100) / 100 }
    case 'search':
      return { query: prng.pick(SEARCHES), results: prng.below(80) }
    default:
      return { product, price: prng.below(90_000) / 100, quantity: 1 + prng.below(3) }
  }
}
