import { isTimeZoneName } from '../../kernel/time-zone-name.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { inTransaction } from '../../store/catalog/transaction.ts'
import { canonicalEmail, findCustomerByEmail } from '../customers/customers.ts'
import { admitCustomer } from './admit-customer.ts'
import { invalidCredentials, invalidLink, signInNotConfigured, unknownTimeZone } from './auth-errors.ts'
import type { AuthPorts } from './auth-ports.ts'
import { readGoogleToken } from './google-sign-in.ts'
import { insertMagicLink, useMagicLink } from './magic-links.ts'
import { beginSession, type RefreshSession } from './refresh-sessions.ts'
import { composeSignInMail } from './sign-in-mail.ts'

/** Begins a session for an address and its password. Throws `unauthenticated` and `resource_exhausted`. */
export async function signInWithPassword(
  { catalog, clock, passwords, limits }: AuthPorts,
  attempt: { readonly email: string; readonly password: string; readonly network: string },
): Promise<RefreshSession> {
  const email = canonicalEmail(attempt.email)
  await limits.passwordsOfNetwork.take(attempt.network)
  await limits.passwordsOfAccount.take(email)
  const customer = await findCustomerByEmail(catalog, email)
  const isRight = await passwords.verify(customer?.passwordHash, attempt.password)
  if (!customer || !isRight) throw invalidCredentials()
  await limits.passwordsOfAccount.clear(email)
  await limits.passwordsOfNetwork.giveBack(attempt.network)
  return await beginSession(catalog, clock, customer.id)
}

/** Mails a link that signs in; to whom makes no difference to the answer. Throws `resource_exhausted`. */
export async function mailMagicLink(
  { catalog, clock, limits, magicLinkUrl, sendMail }: AuthPorts,
  request: { readonly email: string; readonly network: string },
): Promise<void> {
  const email = canonicalEmail(request.email)
  await limits.linksOfNetwork.take(request.network)
  await limits.linksOfAddress.take(email)
  await inTransaction(catalog, async (transaction) => {
    const link = magicLinkUrl(await insertMagicLink(transaction, clock, email))
    await sendMail(composeSignInMail({ to: email, link }), transaction)
  })
}

/** Begins a session for who opened a link. Throws `unauthenticated`, and what an invitation throws. */
export async function signInWithLink(
  { catalog, clock }: AuthPorts,
  { token, timezone }: { readonly token: string; readonly timezone: string },
): Promise<RefreshSession> {
  const zone = parseTimeZone(timezone)
  return await inTransaction(catalog, async (transaction) => {
    const link = await useMagicLink(transaction, clock, token)
    if (!link) throw invalidLink()
    return await beginSessionOf({ catalog: transaction, clock }, { ...link, timezone: zone })
  })
}

/** Begins a session for who shows an ID token of Google. */
export async function signInWithGoogle(
  { catalog, clock, google }: AuthPorts,
  { credential, timezone }: { readonly credential: string; readonly timezone: string },
): Promise<RefreshSession> {
  if (!google) throw signInNotConfigured('sign-in with Google is not set up')
  const zone = parseTimeZone(timezone)
  const account = await readGoogleToken(google, credential)
  return await inTransaction(
    catalog,
    async (transaction) =>
      await beginSessionOf({ catalog: transaction, clock }, { ...account, timezone: zone }),
  )
}

async function beginSessionOf(
  { catalog, clock }: Pick<AuthPorts, 'clock'> & { readonly catalog: Catalog },
  person: Parameters<typeof admitCustomer>[2],
): Promise<RefreshSession> {
  return await beginSession(catalog, clock, await admitCustomer(catalog, clock, person))
}

function parseTimeZone(name: string): string {
  if (name === '') return 'UTC'
  if (!isTimeZoneName(name)) throw unknownTimeZone(name)
  return name
}
