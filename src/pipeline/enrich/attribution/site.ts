import { LRUCache } from 'lru-cache'
import { getDomain } from 'tldts'

/** Hosts are taken from parsed URLs. The suffixes of hosting providers count: each of their customers is a site. */
const OPTIONS = { allowPrivateDomains: true, extractHostname: false, validateHostname: false } as const

/** The site of a host: its registrable domain by the Public Suffix List; the host itself when it has none. */
export function siteOf(hostname: string): string {
  const name = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname
  return getDomain(name, OPTIONS) ?? name
}

/** Creates a cached {@link siteOf}. */
export function createSiteReader(hostsMax: number): (hostname: string) => string {
  const cache = new LRUCache<string, string>({ max: hostsMax })
  return (hostname) => {
    const cached = cache.get(hostname)
    if (cached !== undefined) return cached
    const site = siteOf(hostname)
    cache.set(hostname, site)
    return site
  }
}

/** Whether a host is one of the domains, or below one of them. */
export function isWithin(hostname: string, domains: readonly string[]): boolean {
  return domains.some((domain) => hostname === domain || hostname.endsWith(`.${domain}`))
}
