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
