/** Second-level names under which country registries register: `example.co.uk` is a site, `co.uk` is none. */
const REGISTRY_LABELS: ReadonlySet<string> = new Set(
  'ac asso co com edu ed go gob gouv gov gv id info ltd me mil ne net nhs nom or org plc sch web'.split(' '),
)

/** Hosting providers: each name below one is a separate site. */
const HOSTING_SUFFIXES: ReadonlySet<string> = new Set([
  'azurewebsites.net',
  'blogspot.com',
  'cloudfront.net',
  'fly.dev',
  'framer.website',
  'github.io',
  'gitlab.io',
  'herokuapp.com',
  'myshopify.com',
  'netlify.app',
  'ngrok.app',
  'onrender.com',
  'pages.dev',
  'railway.app',
  'substack.com',
  'surge.sh',
  'tumblr.com',
  'vercel.app',
  'web.app',
  'webflow.io',
  'weebly.com',
  'wixsite.com',
  'wordpress.com',
  'workers.dev',
])

/**
 * The site of a host: its registered name. The Public Suffix List has ten thousand entries that change weekly; these few rules
 * differ from it only for rare registries, where a referral may count as internal.
 */
export function siteOf(hostname: string): string {
  const name = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname
  const top = name.lastIndexOf('.')
  // An IP address is its own site.
  if (top === -1 || name.endsWith(']') || isDigit(name.charCodeAt(top + 1))) return name
  const second = name.lastIndexOf('.', top - 1)
  if (second === -1) return name
  const isRegistry = name.length - top === 3 && REGISTRY_LABELS.has(name.slice(second + 1, top))
  if (!isRegistry && !HOSTING_SUFFIXES.has(name.slice(second + 1))) return name.slice(second + 1)
  return name.slice(name.lastIndexOf('.', second - 1) + 1)
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}
