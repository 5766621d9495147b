import type { OidcProvider } from '../../settings/oidc-settings.ts'
import { domainOf } from '../../settings/oidc-settings.ts'
import { canonicalEmail } from '../customers/customers.ts'
import { invalidResponse } from './oidc-errors.ts'

/** Bounds of what is stored; OpenID Connect allows subjects of 255 ASCII characters. */
const TEXT_LENGTH_MAX = 255
const EMAIL_LENGTH_MAX = 320
const NAME_LENGTH_MAX = 100
const GROUPS_MAX = 1000

/** A user of a provider, as a valid ID token names them. */
export interface ProviderUser {
  readonly subject: string
  /** The session at the provider, for its logout; empty without one. */
  readonly providerSession: string
  /** In canonical form; empty without one. */
  readonly email: string
  /** Whether the provider vouches that the user owns the address. */
  readonly isEmailVerified: boolean
  /** Whether the settings give the domain of the address to this provider. */
  readonly ownsDomain: boolean
  readonly displayName: string | undefined
  /** `undefined` when the provider does not list them in its response. */
  readonly groups: readonly string[] | undefined
}

/** Reads the claims of a valid ID token. Throws `unauthenticated` for claims that cannot be stored. */
export function readUser(provider: OidcProvider, claims: Readonly<Record<string, unknown>>): ProviderUser {
  const { sub, sid, name } = claims
  if (typeof sub !== 'string' || sub === '' || !isStorable(sub, TEXT_LENGTH_MAX))
    throw invalidResponse(provider)
  const email = readEmail(claims.email)
  const ownsDomain = email !== '' && provider.domains.includes(domainOf(email))
  return {
    subject: sub,
    providerSession: typeof sid === 'string' && isStorable(sid, TEXT_LENGTH_MAX) ? sid : '',
    email,
    ownsDomain,
    isEmailVerified: email !== '' && isVerified(claims, ownsDomain),
    displayName: readName(name),
    groups: readGroups(claims, provider.groupsClaim),
  }
}

/** A mail address of some form, else an empty text. */
function readEmail(claim: unknown): string {
  if (typeof claim !== 'string') return ''
  const email = canonicalEmail(claim)
  return /^[^\s@]+@[^\s@]+$/.test(email) && isStorable(email, EMAIL_LENGTH_MAX) ? email : ''
}

/**
 * Some providers send the claim as text. Entra ID sends `xms_edov` instead, and others nothing: then only the domains count that the
 * settings give to the provider. A provider that denies the verification is believed in any case.
 */
function isVerified(claims: Readonly<Record<string, unknown>>, ownsDomain: boolean): boolean {
  const said = claims.email_verified ?? claims.xms_edov
  if (said === undefined || said === null) return ownsDomain
  return said === true || said === 'true' || said === 1 || said === '1'
}

function readName(claim: unknown): string | undefined {
  if (typeof claim !== 'string' || claim.trim() === '' || !isStorable(claim, TEXT_LENGTH_MAX))
    return undefined
  return claim.trim().slice(0, NAME_LENGTH_MAX).toWellFormed()
}

/** Entra ID replaces more than 200 groups by a reference (`_claim_names`), which is read as an absent list. */
function readGroups(claims: Readonly<Record<string, unknown>>, name: string): readonly string[] | undefined {
  const claim = claims[name]
  if (typeof claim === 'string') return [claim]
  if (Array.isArray(claim)) return claim.filter((one) => typeof one === 'string').slice(0, GROUPS_MAX)
  const references = claims._claim_names
  const isReferenced = typeof references === 'object' && references !== null && name in references
  return isReferenced || claims.hasgroups !== undefined ? undefined : []
}

function isStorable(text: string, lengthMax: number): boolean {
  return text.length <= lengthMax && !text.includes('\0')
}
