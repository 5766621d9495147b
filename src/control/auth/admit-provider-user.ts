import type { CustomerId } from '../../contract/ids.ts'
import type { OidcProvider } from '../../settings/oidc-settings.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { endSessionOf, isSessionActive, type SessionKey } from '../customers/account-sessions.ts'
import { type Customer, findCustomer, findCustomerByEmail } from '../customers/customers.ts'
import { beginSession } from '../customers/refresh-sessions.ts'
import { findProof } from '../factors/second-factor.ts'
import { followGroups, hasGroupRole } from '../oidc/group-memberships.ts'
import {
  findIdentity,
  type Identity,
  insertIdentity,
  listIdentities,
  noteSignIn,
} from '../oidc/identities.ts'
import {
  identityChanged,
  identityInUse,
  invalidAttempt,
  invalidCode,
  notConnected,
  unverifiedEmail,
} from '../oidc/oidc-errors.ts'
import type { ProviderUser } from '../oidc/provider-user.ts'
import { requireFreeChoice } from '../oidc/required-provider.ts'
import { useResponse } from '../used-responses.ts'
import { admitCustomer } from './admit-customer.ts'
import type { AuthPorts } from './auth-ports.ts'
import { beginOrDefer, type SignInResult } from './second-factor-step.ts'

/** A user whom a valid response of a provider proves. */
export interface ProvedUser {
  readonly user: ProviderUser
  readonly provider: OidcProvider
  /** The nonce of the response, which counts once. */
  readonly nonce: string
  /** The session of the account that connects the identity; absent for a sign-in. */
  readonly connect: SessionKey | undefined
  /** IANA name, for the first project of a new account. */
  readonly timezone: string
}

/** The account of an identity, before its session starts. */
interface Admitted {
  readonly customerId: CustomerId
  readonly email: string
  readonly identityId: string
  readonly isPasswordRemoved: boolean
}

/**
 * Starts the session of a provider's user, within a transaction. The subject of an identity finds its account; an address finds one
 * only if the settings give its domain to the provider. Every other account is connected by its own session.
 */
export async function admitProviderUser(
  ports: AuthPorts,
  proved: ProvedUser,
): Promise<{ readonly email: string; readonly result: SignInResult }> {
  const { provider, user, nonce, connect } = proved
  const response = { issuer: provider.issuer, kind: 'nonce', value: nonce } as const
  if (!(await useResponse({ ...ports, sealer: ports.oidc.sealer }, response))) throw invalidCode(provider)
  const known = await findIdentity(ports.catalog, { issuer: provider.issuer, subject: user.subject })
  const admitted = await admit(ports, proved, known)
  const { customerId, email, identityId, isPasswordRemoved } = admitted
  const identity = { id: identityId, providerSession: user.providerSession }
  const start = { customerId, method: 'oidc', identity } as const
  if (!connect) return { email, result: await beginOrDefer(ports, { ...start, isPasswordRemoved }) }
  // The session that connects the identity has proved the second factor, and goes on in a new one.
  const factorMs = await findProof(ports.catalog, connect)
  await endSessionOf(ports.catalog, connect)
  return { email, result: await beginSession(ports, { ...start, factorMs }) }
}

async function admit(ports: AuthPorts, proved: ProvedUser, known: Identity | undefined): Promise<Admitted> {
  if (proved.connect) return await connectTo(ports, proved, { session: proved.connect, known })
  return known ? await returnTo(ports, proved, known) : await welcome(ports, proved)
}

/** A known identity: its address may have changed at the provider, or be verified no more. */
async function returnTo(
  ports: AuthPorts,
  { user, provider }: ProvedUser,
  known: Identity,
): Promise<Admitted> {
  const { email } = await requireCustomer(ports.catalog, known.customerId)
  requireFreeChoice(ports.oidc.providers, { email, issuer: provider.issuer })
  await noteSignIn(ports.catalog, ports.clock, { id: known.id, email: user.email })
  await follow(ports, { user, provider, customerId: known.customerId })
  return { customerId: known.customerId, email, identityId: known.id, isPasswordRemoved: false }
}

/** An unknown identity, whose account its verified address names. */
async function welcome(ports: AuthPorts, { user, provider, timezone }: ProvedUser): Promise<Admitted> {
  const { email, displayName, groups } = user
  const { issuer } = provider
  if (!user.isEmailVerified) throw unverifiedEmail(provider)
  requireFreeChoice(ports.oidc.providers, { email, issuer })
  const owner = await findCustomerByEmail(ports.catalog, email)
  if (owner) await requireOwner(ports, { owner, user, provider })
  const isInvited = user.ownsDomain || hasGroupRole(provider.groupRules, groups)
  const { customerId, isPasswordRemoved } = await admitCustomer(
    { ...ports, ...(isInvited && { signUp: 'open' }) },
    {
      email,
      displayName,
      provesAddress: true,
      timezone,
      join: async (joining) => await follow(ports, { user, provider, customerId: joining }),
    },
  )
  const identity = { issuer, subject: user.subject, customerId, email }
  const identityId = await insertIdentity(ports.catalog, ports.clock, identity)
  return { customerId, email, identityId, isPasswordRemoved }
}

/** Throws unless the provider decides who owns the address of an account. */
async function requireOwner(
  { catalog }: AuthPorts,
  {
    owner,
    user,
    provider,
  }: { readonly owner: Customer; readonly user: ProviderUser; readonly provider: OidcProvider },
): Promise<void> {
  // The identities of an unproved account may be its inviter's; they end when its owner signs in.
  const identities = owner.isUnproved ? [] : await listIdentities(catalog, owner.id)
  if (identities.some(({ issuer }) => issuer === provider.issuer)) throw identityChanged(provider)
  if (!user.ownsDomain) throw notConnected(provider)
}

/** Connects an identity to the account of a session. */
async function connectTo(
  ports: AuthPorts,
  { user, provider }: ProvedUser,
  { session, known }: { readonly session: SessionKey; readonly known: Identity | undefined },
): Promise<Admitted> {
  const { catalog, clock } = ports
  const { customerId } = session
  if (!(await isSessionActive(ports, session))) throw invalidAttempt()
  const { email } = await requireCustomer(catalog, customerId)
  requireFreeChoice(ports.oidc.providers, { email, issuer: provider.issuer })
  if (known && known.customerId !== customerId) throw identityInUse(provider)
  const identities = await listIdentities(catalog, customerId)
  const isOther = identities.some(({ id, issuer }) => issuer === provider.issuer && id !== known?.id)
  if (isOther) throw identityChanged(provider)
  const identity = { issuer: provider.issuer, subject: user.subject, customerId, email: user.email }
  const identityId = known?.id ?? (await insertIdentity(catalog, clock, identity))
  await follow(ports, { user, provider, customerId })
  return { customerId, email, identityId, isPasswordRemoved: false }
}

async function follow(
  { catalog, clock }: AuthPorts,
  {
    user,
    provider,
    customerId,
  }: { readonly user: ProviderUser; readonly provider: OidcProvider; readonly customerId: CustomerId },
): Promise<boolean> {
  const { issuer, groupRules: rules } = provider
  return await followGroups(catalog, clock, { rules, customerId, issuer, groups: user.groups })
}

async function requireCustomer(catalog: Catalog, id: CustomerId): Promise<Customer> {
  const customer = await findCustomer(catalog, id)
  if (!customer) throw invalidAttempt()
  return customer
}
