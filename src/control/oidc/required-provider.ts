import { domainOf, type OidcProvider } from '../../settings/oidc-settings.ts'
import { canonicalEmail } from '../customers/customers.ts'
import { ssoRequired } from './oidc-errors.ts'

/** The provider that users of an address must sign in with, if the settings give its domain to one. */
export function requiredProvider(
  providers: readonly OidcProvider[],
  email: string,
): OidcProvider | undefined {
  const domain = domainOf(canonicalEmail(email))
  return providers.find(({ domains }) => domains.includes(domain))
}

/** Throws `failed_precondition` for an address whose users must sign in with another method than that of `issuer`. */
export function requireFreeChoice(
  providers: readonly OidcProvider[],
  { email, issuer }: { readonly email: string; readonly issuer?: string },
): void {
  const required = requiredProvider(providers, email)
  if (!required || required.issuer === issuer) return
  throw ssoRequired({ domain: domainOf(canonicalEmail(email)), label: required.label })
}
