/** A page of the made-up shop that the corpus is about. */
export interface Page {
  readonly pathname: string
  readonly title: string
  readonly section: string
}

/** Pages; some titles have quotes and characters beyond ASCII, as real ones do. */
export const PAGES: readonly Page[] = [
  { pathname: '/', title: 'Home', section: 'home' },
  { pathname: '/lamps', title: 'Lamps and lights', section: 'catalogue' },
  { pathname: '/lamps/desk-lamp-17', title: 'Desk lamp "Hello"', section: 'product' },
  { pathname: '/chairs/stuhl-nr-14', title: 'Stuhl Nr. 14 für kleine Räume', section: 'product' },
  { pathname: '/sofas/canape-velours', title: 'Canapé en velours côtelé', section: 'product' },
  { pathname: '/journal/small-rooms', title: 'Ten ideas for small rooms', section: 'journal' },
  { pathname: '/ja/journal/akari', title: '和紙のあかり', section: 'journal' },
  { pathname: '/cart', title: 'Your cart', section: 'checkout' },
  { pathname: '/checkout/address', title: 'Checkout: address', section: 'checkout' },
  { pathname: '/account/orders', title: 'Your orders', section: 'account' },
]

/** Names of products. */
export const PRODUCTS = [
  'Desk lamp 17',
  'Stuhl Nr. 14',
  'Canapé velours',
  'Akari 和紙',
  'Shelf, oak',
  'Rug 160×230',
]

/** Search terms of visitors. */
export const SEARCHES = [
  'desk lamp',
  'stuhl',
  'canapé',
  'bookshelf oak',
  'あかり',
  'rug 160',
  'gift ideas 🎁',
]

/** Texts of buttons. */
export const BUTTONS = ['add-to-cart', 'newsletter', 'open-menu', 'next-image', 'show-reviews', 'share']

/** Where visitors come from; empty is a direct visit. */
export const REFERRERS = [
  '',
  '',
  'https://www.google.com/',
  'https://news.example.org/lamps',
  'https://t.co/x1',
]

/** Browsers with their systems and the type of their device. */
export const CLIENTS: readonly (readonly [browser: string, os: string, deviceType: string])[] = [
  ['Chrome', 'Windows', 'desktop'],
  ['Chrome', 'Android', 'mobile'],
  ['Safari', 'iOS', 'mobile'],
  ['Safari', 'macOS', 'desktop'],
  ['Firefox', 'Linux', 'desktop'],
  ['Edge', 'Windows', 'desktop'],
]

/** Countries (ISO 3166-1 alpha-2) with their languages. */
export const PLACES: readonly (readonly [country: string, language: string])[] = [
  ['DE', 'de-DE'],
  ['FR', 'fr-FR'],
  ['GB', 'en-GB'],
  ['US', 'en-US'],
  ['JP', 'ja-JP'],
  ['BR', 'pt-BR'],
]

/** Parameters of campaigns, as links carry them. */
export const CAMPAIGNS: readonly Readonly<Record<string, string>>[] = [
  {
    utm_source: 'google',
    utm_medium: 'cpc',
    utm_campaign: 'lamps-spring-2026',
    utm_content: 'text-a',
    utm_term: 'desk lamp',
  },
  { utm_source: 'google', utm_medium: 'cpc', utm_campaign: 'brand', utm_content: 'text-b' },
  { utm_source: 'newsletter', utm_medium: 'email', utm_campaign: 'week-04' },
  { utm_source: 'facebook', utm_medium: 'paid_social', utm_campaign: 'chairs', utm_content: 'video 2' },
  { utm_source: 'partner.example', utm_medium: 'referral', utm_campaign: 'autumn' },
]

/** Addresses that lead to the first page of a visit; empty is a direct visit. */
export const ENTRIES = [
  '',
  '',
  'https://www.google.com/',
  'https://www.bing.com/search?q=desk+lamp',
  'https://news.example.org/lamps/the-best-of-2026',
  'https://t.co/x1',
  'https://www.instagram.com/',
]

/** A browser: its header and what scripts find out about it. */
export interface Agent {
  readonly userAgent: string
  readonly browser: string
  readonly browserVersion: string
  readonly os: string
  readonly osVersion: string
  readonly deviceType: string
  readonly screen: readonly [width: number, height: number]
}

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)'

const DESKTOPS = [
  { system: 'Windows NT 10.0; Win64; x64', os: 'Windows', osVersion: '10' },
  { system: 'Macintosh; Intel Mac OS X 10_15_7', os: 'macOS', osVersion: '10.15.7' },
  { system: 'X11; Linux x86_64', os: 'Linux', osVersion: '' },
] as const

/** Desktops and phones with recent versions of their browsers. */
export const AGENTS: readonly Agent[] = [138, 139, 140, 141].flatMap((version): readonly Agent[] => [
  ...DESKTOPS.map(
    ({ system, os, osVersion }): Agent => ({
      userAgent: `Mozilla/5.0 (${system}) ${WEBKIT} Chrome/${version}.0.0.0 Safari/537.36`,
      browser: 'Chrome',
      browserVersion: `${version}`,
      os,
      osVersion,
      deviceType: 'desktop',
      screen: [1920, 1080],
    }),
  ),
  {
    userAgent: `Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} Chrome/${version}.0.0.0 Mobile Safari/537.36`,
    browser: 'Chrome',
    browserVersion: `${version}`,
    os: 'Android',
    osVersion: '10',
    deviceType: 'mobile',
    screen: [412, 915],
  },
  {
    userAgent: `Mozilla/5.0 (iPhone; CPU iPhone OS 18_${version % 10} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.${version % 10} Mobile/15E148 Safari/604.1`,
    browser: 'Safari',
    browserVersion: `18.${version % 10}`,
    os: 'iOS',
    osVersion: `18.${version % 10}`,
    deviceType: 'mobile',
    screen: [390, 844],
  },
])
