import { isTimeZoneName } from '../../kernel/time-zone-name.ts'
import { inTransaction } from '../../store/catalog/transaction.ts'
import { canonicalEmail, findCustomerByEmail } from '../customers/customers.ts'
import { useMagicLink } from '../customers/magic-links.ts'
import { beginSession, type RefreshSession, type SignInMethod } from '../customers/refresh-sessions.ts'
import { admitCustomer, type VerifiedPerson } from './admit-customer.ts'
import { invalidCredentials, invalidLink, signInNotConfigured, unknownTimeZone } from './auth-errors.ts'
import type { AuthPorts } from './auth-ports.ts'
import type { Applicant } from './fair-queue.ts'
import { readGoogleToken } from './google-sign-in.ts'
import type { Origin, Standing } from './known-networks.ts'

/** Begins a session for an address and its password. Throws `unauthenticated` and `resource_exhausted`. */
export async function signInWithPassword(
  ports: AuthPorts,
  attempt: Origin & { readonly password: string },
): Promise<RefreshSession> {
  const { catalog, passwords, networks } = ports
  const origin = { email: canonicalEmail(attempt.email), network: attempt.network }
  const standing = await networks.standingOf(origin)
  const applicant = toApplicant(origin, standing)
  // First, so that an attempt which nobody looks at does not count.
  passwords.requirePlace(applicant)
  const counted = await countPassword(ports.limits, origin, standing)
  const customer = await findCustomerByEmail(catalog, origin.email)
  const isRight = await passwords.verify(customer?.passwordHash, attempt.password, applicant)
  if (!customer || !isRight) throw invalidCredentials()
  await counted.succeed()
  await networks.remember(origin)
  return await beginSession(ports, { customerId: customer.id, method: 'password' })
}

/** Those who have signed in before take turns with each other, strangers of one network too. */
function toApplicant({ email, network }: Origin, standing: Standing): Applicant {
  return { standing, source: standing === 'account' ? nameOrigin({ email, network }) : network }
}

function nameOrigin({ email, network }: Origin): string {
  return `${email}\n${network}`
}

/** Counts an attempt before it is made. Throws `resource_exhausted` when it comes too soon. */
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

/** Asks for a link that signs in; whether one is mailed makes no difference to the answer. Throws `resource_exhausted`. */
export async function requestMagicLink(ports: AuthPorts, request: Origin): Promise<void> {
  const origin = { email: canonicalEmail(request.email), network: request.network }
  const standing = await ports.networks.standingOf(origin)
  await ports.linkShare.run(toApplicant(origin, standing), async () => {
    await countLink(ports.limits, origin, standing)
    await ports.queueSignInLink(origin.email)
  })
}

/** Throws `resource_exhausted` when a request comes too soon. */
async function countLink(limits: AuthPorts['limits'], origin: Origin, standing: Standing): Promise<void> {
  if (standing === 'account') return await limits.linksOfOrigin.take(nameOrigin(origin))
  await limits.linksOfNetwork.take(origin.network)
  await limits.linksOfAddress.take(origin.email)
}

/** What comes with a proof of whose a call is. */
interface Proof {
  readonly timezone: string
  readonly network: string
}

/** Begins a session for who opened a link. Throws `unauthenticated`, `permission_denied`, and what an invitation throws. */
export async function signInWithLink(
  ports: AuthPorts,
  { token, timezone, network }: Proof & { readonly token: string },
): Promise<RefreshSession> {
  const zone = parseTimeZone(timezone)
  const { email, session } = await inTransaction(ports.catalog, async (catalog) => {
    const link = await useMagicLink(catalog, ports.clock, token)
    if (!link) throw invalidLink()
    const person = { ...link, timezone: zone }
    return { email: link.email, session: await admit({ ...ports, catalog }, person, 'link') }
  })
  await ports.networks.remember({ email, network })
  return session
}

/** Begins a session for who shows an ID token of Google. Throws `unauthenticated` and `permission_denied`. */
export async function signInWithGoogle(
  ports: AuthPorts,
  { credential, timezone, network }: Proof & { readonly credential: string },
): Promise<RefreshSession> {
  if (!ports.google) throw signInNotConfigured('sign-in with Google is not set up')
  const zone = parseTimeZone(timezone)
  const account = await readGoogleToken(ports.google, credential)
  const person = { ...account, timezone: zone }
  const session = await inTransaction(
    ports.catalog,
    async (catalog) => await admit({ ...ports, catalog }, person, 'google'),
  )
  await ports.networks.remember({ email: canonicalEmail(account.email), network })
  return session
}

async function admit(
  ports: AuthPorts,
  person: VerifiedPerson,
  method: SignInMethod,
): Promise<RefreshSession> {
  return await beginSession(ports, { customerId: await admitCustomer(ports, person), method })
}

function parseTimeZone(name: string): string {
  if (name === '') return 'UTC'
  if (!isTimeZoneName(name)) throw unknownTimeZone(name)
  return name
}
