import { randomUUID } from 'node:crypto'
import { asCustomerId, type CustomerId } from '../../contract/ids.ts'
import type { Clock } from '../../kernel/clock.ts'
import { endGrantsOf } from '../../store/catalog/assistant-grants.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { revokeTokensOf } from '../../store/catalog/personal-tokens.ts'
import { removeSecondFactor } from '../factors/second-factor.ts'

/** A console account. */
export interface Customer {
  readonly id: CustomerId
  readonly email: string
  readonly isEmailVerified: boolean
  /** Whether a link that proves no address created the account, and its owner has not proved the address since. */
  readonly isUnproved: boolean
  /** Absent until a password is set. */
  readonly passwordHash: string | undefined
}

/** The canonical form of an account's address, which ignores case. */
export function canonicalEmail(email: string): string {
  return email.trim().toLowerCase()
}

/** The default display name: the part of the address before the `@`. */
export function nameOfEmail(email: string): string {
  return email.split('@', 1)[0] || email
}

/** The customer with an address in canonical form. */
export async function findCustomerByEmail(catalog: Catalog, email: string): Promise<Customer | undefined> {
  const row = await catalog.selectFrom('customers').selectAll().where('email', '=', email).executeTakeFirst()
  return row && toCustomer(row)
}

/** The customer with an id. */
export async function findCustomer(catalog: Catalog, id: CustomerId): Promise<Customer | undefined> {
  const row = await catalog.selectFrom('customers').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toCustomer(row)
}

/** Adds a customer. */
export async function insertCustomer(
  transaction: Catalog,
  clock: Clock,
  customer: Omit<Customer, 'id' | 'isUnproved'> & {
    readonly displayName: string
    readonly isUnproved?: boolean
  },
): Promise<CustomerId> {
  const id = randomUUID()
  await transaction
    .insertInto('customers')
    .values({
      id,
      email: customer.email,
      display_name: customer.displayName,
      password_hash: customer.passwordHash ?? null,
      unproved: customer.isUnproved === true ? 1 : 0,
      email_verified: customer.isEmailVerified ? 1 : 0,
      created_ms: clock.nowMs(),
    })
    .execute()
  return asCustomerId(id)
}

/** Marks the address of a customer as verified. */
export async function markEmailVerified(transaction: Catalog, id: CustomerId): Promise<void> {
  await transaction.updateTable('customers').set({ email_verified: 1 }).where('id', '=', id).execute()
}

/** Gives an account to the owner of its address: the password, the second factor, the sessions, the tokens, the assistants and the identities of its inviter end. */
export async function handOver(transaction: Catalog, id: CustomerId): Promise<void> {
  await transaction.deleteFrom('identities').where('customer_id', '=', id).execute()
  await removeSecondFactor(transaction, id)
  await transaction.deleteFrom('refresh_sessions').where('customer_id', '=', id).execute()
  await revokeTokensOf(transaction, id)
  await endGrantsOf(transaction, id)
  await transaction
    .updateTable('customers')
    .set({ password_hash: null, unproved: 0 })
    .where('id', '=', id)
    .execute()
}

function toCustomer(row: {
  readonly id: string
  readonly unproved: number
  readonly email: string
  readonly email_verified: number
  readonly password_hash: string | null
}): Customer {
  return {
    id: asCustomerId(row.id),
    email: row.email,
    isEmailVerified: row.email_verified === 1,
    isUnproved: row.unproved === 1,
    passwordHash: row.password_hash ?? undefined,
  }
}
