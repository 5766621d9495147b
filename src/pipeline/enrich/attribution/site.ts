import { getDomain } from 'tldts'

/** Hosts are taken from parsed URLs. The suffixes of hosting providers count: each of their customers is a site. */
const OPTIONS = { allowPrivateDomains: true, extractHostname: false, validateHostname: false } as const

/** The site of a host: its registrable domain by the Public Suffix List; the host itself when it has none. */
export function siteOf(hostname: string): string {
  const name = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname
  return getDomain(name, OPTIONS) ?? name
}

/** Whether a host is one of the domains, or below one of them. */
export function isWithin(hostname: string, domains: readonly string[]): boolean {
  return domains.some((domain) => hostname === domain || hostname.endsWith(`.${domain}`))
}
