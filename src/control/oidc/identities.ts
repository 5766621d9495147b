import { randomUUID } from 'node:crypto'
import { asCustomerId, type CustomerId } from '../../contract/ids.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { inTransaction } from '../../store/catalog/transaction.ts'
import { identityNotFound } from './oidc-errors.ts'

/** A user of a provider: the subject is unique within the issuer, and never given to another user. */
export interface IdentityKey {
  readonly issuer: string
  readonly subject: string
}

/** An identity of an account. */
export interface Identity extends IdentityKey {
  readonly id: string
  readonly customerId: CustomerId
  readonly email: string
  readonly createdMs: number
  readonly lastMs: number
}

/** The identity of a user of a provider. */
export async function findIdentity(catalog: Catalog, key: IdentityKey): Promise<Identity | undefined> {
  const row = await catalog
    .selectFrom('identities')
    .selectAll()
    .where('issuer', '=', key.issuer)
    .where('subject', '=', key.subject)
    .executeTakeFirst()
  return row && toIdentity(row)
}

/** The identities of an account, in the order in which they were connected. */
export async function listIdentities(catalog: Catalog, customerId: CustomerId): Promise<Identity[]> {
  const rows = await catalog
    .selectFrom('identities')
    .selectAll()
    .where('customer_id', '=', customerId)
    .orderBy('created_ms')
    .orderBy('id')
    .execute()
  return rows.map(toIdentity)
}

/** Connects an identity to an account. Returns its id. */
export async function insertIdentity(
  transaction: Catalog,
  clock: Clock,
  identity: IdentityKey & Pick<Identity, 'customerId' | 'email'>,
): Promise<string> {
  const id = randomUUID()
  const nowMs = clock.nowMs()
  const { issuer, subject, customerId, email } = identity
  await transaction
    .insertInto('identities')
    .values({ id, issuer, subject, customer_id: customerId, email, created_ms: nowMs, last_ms: nowMs })
    .execute()
  return id
}

/** Records a sign-in with an identity. */
export async function noteSignIn(
  transaction: Catalog,
  clock: Clock,
  { id, email }: Pick<Identity, 'id' | 'email'>,
): Promise<void> {
  await transaction
    .updateTable('identities')
    .set({ email, last_ms: clock.nowMs() })
    .where('id', '=', id)
    .execute()
}

/** Disconnects an identity of an account, and ends the sessions that it began. Throws `not_found`. */
export async function deleteIdentity(
  catalog: Catalog,
  { id, customerId }: Pick<Identity, 'id' | 'customerId'>,
): Promise<void> {
  await inTransaction(catalog, async (transaction) => {
    const { numDeletedRows } = await transaction
      .deleteFrom('identities')
      .where('id', '=', id)
      .where('customer_id', '=', customerId)
      .executeTakeFirstOrThrow()
    if (numDeletedRows === 0n) throw identityNotFound()
    await transaction.deleteFrom('refresh_sessions').where('identity_id', '=', id).execute()
  })
}

/** Ends the sessions of a user of a provider: those of one session there, or all of them. */
export async function endIdentitySessions(
  catalog: Catalog,
  {
    issuer,
    subject,
    providerSession,
  }: { readonly issuer: string; readonly subject: string; readonly providerSession: string },
): Promise<void> {
  const identities = catalog.selectFrom('identities').select('id').where('issuer', '=', issuer)
  const ending = catalog
    .deleteFrom('refresh_sessions')
    .where('identity_id', 'in', subject === '' ? identities : identities.where('subject', '=', subject))
  await (providerSession === '' ? ending : ending.where('provider_session', '=', providerSession)).execute()
}

function toIdentity(row: {
  readonly id: string
  readonly issuer: string
  readonly subject: string
  readonly customer_id: string
  readonly email: string
  readonly created_ms: number
  readonly last_ms: number
}): Identity {
  const { id, issuer, subject, email } = row
  return {
    id,
    issuer,
    subject,
    email,
    customerId: asCustomerId(row.customer_id),
    createdMs: row.created_ms,
    lastMs: row.last_ms,
  }
}
