import { randomBytes } from 'node:crypto'
import type { CustomerId } from '../../contract/ids.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { firstOrganisationId } from '../../store/catalog/projects.ts'
import { inTransaction } from '../../store/catalog/transaction.ts'
import { PasswordHasher } from '../auth/password-hasher.ts'
import { canonicalEmail, insertCustomer, nameOfEmail } from '../customers/customers.ts'

/** The default address; it receives no mail, so that no mail server is needed. */
const EMAIL = 'admin@localhost'

/** 144 bits, as 24 characters. */
const PASSWORD_BYTES = 18

/** The first console account, for the operator. */
export interface FirstAccount {
  readonly customerId: CustomerId
  readonly email: string
  /** Absent when the password was configured: the operator has it. */
  readonly generatedPassword: string | undefined
}

/**
 * Creates the first console account, an admin of the first organisation, while no account exists. Of several processes
 * that try at once, one succeeds. Returns `undefined` when an account exists.
 */
export async function bootstrapAccount(
  catalog: Catalog,
  clock: Clock,
  configured: { readonly email: string | undefined; readonly password: string | undefined },
): Promise<FirstAccount | undefined> {
  if (await hasCustomers(catalog)) return undefined
  const email = canonicalEmail(configured.email ?? EMAIL)
  const generatedPassword =
    configured.password === undefined ? randomBytes(PASSWORD_BYTES).toString('base64url') : undefined
  const passwordHash = await new PasswordHasher().hash(configured.password ?? generatedPassword ?? '')
  return await inTransaction(catalog, async (transaction) => {
    const organisationId = await firstOrganisationId(transaction)
    if (organisationId === undefined || (await hasCustomers(transaction))) return undefined
    const customerId = await insertCustomer(transaction, clock, {
      email,
      displayName: nameOfEmail(email),
      isEmailVerified: false,
      passwordHash,
    })
    await transaction
      .insertInto('memberships')
      .values({
        organisation_id: organisationId,
        customer_id: customerId,
        role: 'admin',
        created_ms: clock.nowMs(),
      })
      .execute()
    return { customerId, email, generatedPassword }
  })
}

async function hasCustomers(catalog: Catalog): Promise<boolean> {
  return (await catalog.selectFrom('customers').select('id').limit(1).executeTakeFirst()) !== undefined
}
