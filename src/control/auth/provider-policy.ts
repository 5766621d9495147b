import { endSessionOf } from '../customers/account-sessions.ts'
import type { RefreshSession } from '../customers/refresh-sessions.ts'
import { requiredProvider } from '../oidc/required-provider.ts'
import type { AuthPorts } from './auth-ports.ts'

/**
 * Whether a session may continue: the settings may have given its domain to a provider since it began. A session that may not
 * has ended.
 */
export async function mayContinue(
  { catalog, oidc }: Pick<AuthPorts, 'catalog' | 'oidc'>,
  session: RefreshSession,
): Promise<boolean> {
  // Most installations have no such domains, and need no statement.
  if (oidc.providers.every(({ domains }) => domains.length === 0)) return true
  const row = await catalog
    .selectFrom('refresh_sessions')
    .innerJoin('customers', 'customers.id', 'refresh_sessions.customer_id')
    .leftJoin('identities', 'identities.id', 'refresh_sessions.identity_id')
    .select(['customers.email', 'identities.issuer'])
    .where('refresh_sessions.id', '=', session.sessionId)
    .executeTakeFirst()
  if (!row) return false
  const required = requiredProvider(oidc.providers, row.email)
  if (!required || required.issuer === row.issuer) return true
  await endSessionOf(catalog, session)
  return false
}
