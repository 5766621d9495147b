/**
 * Who may create an account: invited users only, also owners of an address in given domains, or everyone. Invited users
 * always may.
 */
export type SignUpPolicy = 'invited' | 'open' | { readonly domains: readonly string[] }

const DOMAIN = /^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)*$/u
const DOMAINS_MAX = 1000

/** Parses `invited`, `open` or `domains:example.org,example.com`; `undefined` for anything else. */
export function parseSignUpPolicy(text: string): SignUpPolicy | undefined {
  if (text === 'invited' || text === 'open') return text
  const list = /^domains:(.+)$/.exec(text)?.[1]
  if (list === undefined) return undefined
  const domains = list.split(',').map((domain) => domain.trim().toLowerCase())
  return domains.length <= DOMAINS_MAX && domains.every((domain) => DOMAIN.test(domain))
    ? { domains }
    : undefined
}

/** Whether a lower-case address alone entitles its owner to an account. A domain does not cover its subdomains. */
export function isSignUpOpenTo(policy: SignUpPolicy, email: string): boolean {
  if (policy === 'invited' || policy === 'open') return policy === 'open'
  return policy.domains.includes(email.slice(email.lastIndexOf('@') + 1))
}
