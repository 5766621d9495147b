import { type RawBuilder, sql } from 'kysely'
import type { Catalog } from './catalog.ts'

/**
 * 1 for an account with a second factor of either kind, else 0, as a value to select. `account` is the column with its id; PostgreSQL
 * and SQLite answer an integer alike.
 */
export function selectHasFactor(
  account: 'customers.id' | 'memberships.customer_id' | 'page.id',
): RawBuilder<number> {
  const id = sql.ref(account)
  return sql<number>`CASE
    WHEN EXISTS (SELECT 1 FROM totp_factors WHERE totp_factors.customer_id = ${id}) THEN 1
    WHEN EXISTS (SELECT 1 FROM passkeys WHERE passkeys.customer_id = ${id}) THEN 1
    ELSE 0 END`
}

/** Whether an account has a second factor, of either kind. */
export async function hasSecondFactor(catalog: Catalog, customerId: string): Promise<boolean> {
  const row = await catalog
    .selectFrom('customers')
    .select(selectHasFactor('customers.id').as('has_factor'))
    .where('customers.id', '=', customerId)
    .executeTakeFirst()
  return row?.has_factor === 1
}
