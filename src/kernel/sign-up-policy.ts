/**
 * Who may make an account of their own: who was invited, who has an address of one of some domains, or everybody. Who was
 * invited always may.
 */
export type SignUpPolicy = 'invited' | 'open' | { readonly domains: readonly string[] }

const DOMAIN = /^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)*$/u
const DOMAINS_MAX = 1000

/** Reads `invited`, `open` or `domains:example.org,example.com`; `undefined` for anything else. */
export function parseSignUpPolicy(text: string): SignUpPolicy | undefined {
  if (text === 'invited' || text === 'open') return text
  const list = /^domains:(.+)$/.exec(text)?.[1]
  if (list === undefined) return undefined
  const domains = list.split(',').map((domain) => domain.trim().toLowerCase())
  return domains.length <= DOMAINS_MAX && domains.every((domain) => DOMAIN.test(domain))
    ? { domains }
    : undefined
}

/** Whether an address, in lower case, is enough to make an account. A domain does not stand for those below it. */
export function isSignUpOpenTo(policy: SignUpPolicy, email: string): boolean {
  if (policy === 'invited' || policy === 'open') return policy === 'open'
  return policy.domains.includes(email.slice(email.lastIndexOf('@') + 1))
}
