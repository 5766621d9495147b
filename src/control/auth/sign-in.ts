import { checkTimeZoneName } from '../../domain/time-zone-name.ts'
import { inTransaction } from '../../store/catalog/transaction.ts'
import { canonicalEmail, findCustomerByEmail } from '../customers/customers.ts'
import { type UsedLink, useMagicLink } from '../customers/magic-links.ts'
import type { SignInMethod } from '../customers/refresh-sessions.ts'
import { requiredProvider, requireFreeChoice } from '../oidc/required-provider.ts'
import { type AdmittedCaller, admitCustomer } from './admit-customer.ts'
import { invalidCredentials, invalidLink, signInNotConfigured, signInToAcceptWith } from './auth-errors.ts'
import type { AuthPorts } from './auth-ports.ts'
import type { Applicant } from './fair-queue.ts'
import { readGoogleToken } from './google-sign-in.ts'
import { nameOrigin, type Origin, type Standing } from './known-networks.ts'
import { beginOrDefer, isDue, type SignInResult } from './second-factor-step.ts'

/** Starts a session for an address and its password. Throws `unauthenticated` and `resource_exhausted`. */
export async function signInWithPassword(
  ports: AuthPorts,
  attempt: Origin & { readonly password: string },
): Promise<SignInResult> {
  const { catalog, passwords, networks } = ports
  const origin = { email: canonicalEmail(attempt.email), network: attempt.network }
  requireFreeChoice(ports.oidc.providers, origin)
  const standing = await networks.standingOf(origin)
  const applicant = toApplicant(origin, standing)
  // First, so that an attempt that is not checked does not count.
  passwords.requireAccepted(applicant)
  const counted = await countPassword(ports.limits, origin, standing)
  const customer = await findCustomerByEmail(catalog, origin.email)
  const isRight = await passwords.verify(customer?.passwordHash, attempt.password, applicant)
  if (!customer || !isRight) throw invalidCredentials()
  await counted.succeed()
  const start = { customerId: customer.id, method: 'password' } as const
  const result = await inTransaction(
    catalog,
    async (transaction) => await beginOrDefer({ ...ports, catalog: transaction }, start),
  )
  await rememberSignIn(ports, origin, result)
  return result
}

/** A network becomes known by a complete sign-in only: else a stolen password would be enough. */
async function rememberSignIn(ports: AuthPorts, origin: Origin, result: SignInResult): Promise<void> {
  if (!isDue(result)) await ports.networks.remember(origin)
}

/** The source is the account in a known network, else the network. */
function toApplicant({ email, network }: Origin, standing: Standing): Applicant {
  return { standing, source: standing === 'account' ? nameOrigin({ email, network }) : network }
}

/** Counts an attempt before it is checked. Throws `resource_exhausted` before the next one is allowed. */
async function countPassword(
  limits: AuthPorts['limits'],
  origin: Origin,
  standing: Standing,
): Promise<{ readonly succeed: () => Promise<void> }> {
  if (standing === 'account') {
    const name = nameOrigin(origin)
    await limits.passwordsOfOrigin.take(name)
    return { succeed: async () => await limits.passwordsOfOrigin.clear(name) }
  }
  await limits.passwordsOfNetwork.take(origin.network)
  await limits.passwordsOfAccount.take(origin.email)
  return {
    succeed: async () => {
      await limits.passwordsOfAccount.clear(origin.email)
      await limits.passwordsOfNetwork.giveBack(origin.network)
    },
  }
}

/** Requests a sign-in link; the response is the same whether or not one is mailed. Throws `resource_exhausted`. */
export async function requestMagicLink(ports: AuthPorts, request: Origin): Promise<void> {
  const origin = { email: canonicalEmail(request.email), network: request.network }
  requireFreeChoice(ports.oidc.providers, origin)
  const standing = await ports.networks.standingOf(origin)
  await ports.linkShare.run(toApplicant(origin, standing), async () => {
    await countLink(ports.limits, origin, standing)
    await ports.queueSignInLink(origin.email)
  })
}

/** Throws `resource_exhausted` before the next request is allowed. */
async function countLink(limits: AuthPorts['limits'], origin: Origin, standing: Standing): Promise<void> {
  if (standing === 'account') return await limits.linksOfOrigin.take(nameOrigin(origin))
  await limits.linksOfNetwork.take(origin.network)
  await limits.linksOfAddress.take(origin.email)
}

/** Context of a sign-in by a verified address. */
interface Proof {
  readonly timezone: string
  readonly network: string
}

/** Starts a session for an opened link. Throws `unauthenticated`, `permission_denied`, and as `acceptInvitation`. */
export async function signInWithLink(
  ports: AuthPorts,
  { token, timezone, network }: Proof & { readonly token: string },
): Promise<SignInResult> {
  const zone = parseTimeZone(timezone)
  const { email, result } = await inTransaction(ports.catalog, async (catalog) => {
    const link = await useMagicLink(catalog, ports.clock, token)
    if (!link) throw invalidLink()
    requireFreeLink(ports, link)
    const person = { ...link, timezone: zone }
    return { email: link.email, result: await admit({ ...ports, catalog }, person, 'link') }
  })
  await rememberSignIn(ports, { email, network }, result)
  return result
}

/** Throws for an address whose users sign in with a provider only; the link of an invitation is accepted afterwards. */
function requireFreeLink({ oidc }: AuthPorts, { email, invitationId }: UsedLink): void {
  const required = requiredProvider(oidc.providers, email)
  if (required && invitationId !== undefined) throw signInToAcceptWith(required.label)
  requireFreeChoice(oidc.providers, { email })
}

/** Starts a session for an ID token of Google. Throws `unauthenticated` and `permission_denied`. */
export async function signInWithGoogle(
  ports: AuthPorts,
  { credential, timezone, network }: Proof & { readonly credential: string },
): Promise<SignInResult> {
  if (!ports.google) throw signInNotConfigured('sign-in with Google is not configured')
  const zone = parseTimeZone(timezone)
  const account = await readGoogleToken(ports.google, credential)
  requireFreeChoice(ports.oidc.providers, account)
  const person = { ...account, provesAddress: true, timezone: zone }
  const result = await inTransaction(
    ports.catalog,
    async (catalog) => await admit({ ...ports, catalog }, person, 'google'),
  )
  await rememberSignIn(ports, { email: canonicalEmail(account.email), network }, result)
  return result
}

async function admit(ports: AuthPorts, person: AdmittedCaller, method: SignInMethod): Promise<SignInResult> {
  return await beginOrDefer(ports, { ...(await admitCustomer(ports, person)), method })
}

/** The time zone of a first project. Throws `invalid_argument`. */
export function parseTimeZone(name: string): string {
  if (name === '') return 'UTC'
  checkTimeZoneName(name, 'timezone')
  return name
}
