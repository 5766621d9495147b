import type { Prng } from '../../kernel/prng.ts'
import type { Visitor } from './audience.ts'

/** A page of the fictional shop. */
export type Path = keyof typeof PAGES

/** The pages with their titles and the pages that they lead to, each with a weight. */
const PAGES = {
  '/': {
    title: 'Lamps and furniture',
    next: { '/lamps': 5, '/chairs': 3, '/desks': 2, '/journal': 1, '/pricing': 2 },
  },
  '/lamps': { title: 'Lamps', next: { '/lamps/arc': 4, '/lamps/desk': 4, '/chairs': 1, '/': 1 } },
  '/lamps/arc': {
    title: 'Arc lamp',
    next: { '/lamps': 3, '/lamps/desk': 2, '/cart': 3, '/help/delivery': 1 },
  },
  '/lamps/desk': { title: 'Desk lamp', next: { '/lamps': 3, '/lamps/arc': 2, '/cart': 3, '/desks': 1 } },
  '/chairs': { title: 'Chairs', next: { '/chairs/oak': 4, '/lamps': 1, '/': 1 } },
  '/chairs/oak': { title: 'Oak chair', next: { '/chairs': 3, '/cart': 2, '/help/returns': 1 } },
  '/desks': { title: 'Desks', next: { '/desks/standing': 4, '/chairs': 2, '/': 1 } },
  '/desks/standing': { title: 'Standing desk', next: { '/desks': 3, '/cart': 2, '/pricing': 1 } },
  '/journal': { title: 'Journal', next: { '/journal/light': 3, '/journal/small-rooms': 3, '/': 1 } },
  '/journal/light': {
    title: 'How much light a room needs',
    next: { '/lamps': 3, '/journal': 2, '/about': 1 },
  },
  '/journal/small-rooms': { title: 'Small rooms', next: { '/desks': 2, '/chairs': 2, '/journal': 2 } },
  '/pricing': { title: 'Studio plans', next: { '/signup': 3, '/help/delivery': 1, '/': 2 } },
  '/signup': { title: 'Create an account', next: { '/': 2, '/lamps': 2, '/pricing': 1 } },
  '/cart': { title: 'Your cart', next: { '/checkout': 3, '/lamps': 2, '/help/delivery': 1 } },
  '/checkout': { title: 'Checkout', next: { '/': 2, '/help/delivery': 1, '/cart': 1 } },
  '/help/delivery': { title: 'Delivery', next: { '/cart': 2, '/': 1, '/help/returns': 1 } },
  '/help/returns': { title: 'Returns', next: { '/': 2, '/help/delivery': 1 } },
  '/about': { title: 'About us', next: { '/': 2, '/journal': 1 } },
} as const satisfies Record<string, { readonly title: string; readonly next: Weights }>

type Weights = Readonly<Record<string, number>>

/** Pages on which visits begin: the journal gets visits from links, campaigns lead to what they show. */
const LANDINGS = {
  own: { '/': 10, '/lamps': 2, '/pricing': 2, '/lamps/arc': 1 },
  search: { '/': 4, '/lamps': 4, '/chairs/oak': 2, '/desks/standing': 2, '/journal/light': 3 },
  link: { '/journal/light': 4, '/journal/small-rooms': 4, '/': 2 },
  campaign: { '/lamps': 4, '/lamps/arc': 2, '/pricing': 3 },
} as const satisfies Record<string, Weights>

/** The page on which each step towards a purchase is taken. */
export const STEP_PAGES = {
  signup: '/signup',
  trial_started: '/pricing',
  purchase: '/checkout',
} as const satisfies Record<string, Path>

/** The title of a page. */
export function titleOf(path: Path): string {
  return PAGES[path].title
}

/** The first page of a visit; `isReferred` when the visit comes from the visitor's referrer or campaign. */
export function landingOf({ referrer, utm }: Visitor, isReferred: boolean, prng: Prng): Path {
  if (!isReferred || (referrer === '' && utm === undefined)) return pickWeighted(LANDINGS.own, prng)
  if (utm !== undefined) return pickWeighted(LANDINGS.campaign, prng)
  return pickWeighted(/google|bing|duckduckgo/.test(referrer) ? LANDINGS.search : LANDINGS.link, prng)
}

/** The page to which a visitor goes on. */
export function nextPage(path: Path, prng: Prng): Path {
  return pickWeighted(PAGES[path].next, prng)
}

function pickWeighted<Name extends string>(
  weights: Readonly<Partial<Record<Name, number>>>,
  prng: Prng,
): Name {
  const entries = Object.entries(weights) as [Name, number][]
  let left = prng.unit() * entries.reduce((sum, [, weight]) => sum + weight, 0)
  for (const [name, weight] of entries) {
    left -= weight
    if (left < 0) return name
  }
  const [last] = entries.at(-1) ?? []
  if (last === undefined) throw new RangeError('there is nothing to pick from')
  return last
}
