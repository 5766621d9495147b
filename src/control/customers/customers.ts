import { randomUUID } from 'node:crypto'
import { asCustomerId, type CustomerId } from '../../contract/ids.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'

/** A person who uses the console. */
export interface Customer {
  readonly id: CustomerId
  readonly email: string
  readonly isEmailVerified: boolean
  /** `undefined` for who never set a password. */
  readonly passwordHash: string | undefined
}

/** The address as accounts are known by: people do not care for its case. */
export function canonicalEmail(email: string): string {
  return email.trim().toLowerCase()
}

/** What comes before the `@` names the person until they say otherwise. */
export function nameOfEmail(email: string): string {
  return email.split('@', 1)[0] || email
}

/** The customer of an address in canonical form. */
export async function findCustomerByEmail(catalog: Catalog, email: string): Promise<Customer | undefined> {
  const row = await catalog.selectFrom('customers').selectAll().where('email', '=', email).executeTakeFirst()
  return row && toCustomer(row)
}

/** The customer of an id. */
export async function findCustomer(catalog: Catalog, id: CustomerId): Promise<Customer | undefined> {
  const row = await catalog.selectFrom('customers').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toCustomer(row)
}

/** Adds a customer. */
export async function insertCustomer(
  transaction: Catalog,
  clock: Clock,
  customer: Omit<Customer, 'id'> & { readonly displayName: string },
): Promise<CustomerId> {
  const id = randomUUID()
  await transaction
    .insertInto('customers')
    .values({
      id,
      email: customer.email,
      display_name: customer.displayName,
      password_hash: customer.passwordHash ?? null,
      email_verified: customer.isEmailVerified ? 1 : 0,
      created_ms: clock.nowMs(),
    })
    .execute()
  return asCustomerId(id)
}

/** Keeps that a customer receives mail at their address. */
export async function markEmailVerified(transaction: Catalog, id: CustomerId): Promise<void> {
  await transaction.updateTable('customers').set({ email_verified: 1 }).where('id', '=', id).execute()
}

function toCustomer(row: {
  readonly id: string
  readonly email: string
  readonly email_verified: number
  readonly password_hash: string | null
}): Customer {
  return {
    id: asCustomerId(row.id),
    email: row.email,
    isEmailVerified: row.email_verified === 1,
    passwordHash: row.password_hash ?? undefined,
  }
}
