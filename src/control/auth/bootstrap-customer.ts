import { randomBytes } from 'node:crypto'
import type { CustomerId } from '../../contract/ids.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { firstOrganisationId } from '../../store/catalog/projects.ts'
import { inTransaction } from '../../store/catalog/transaction.ts'
import { canonicalEmail, insertCustomer, nameOfEmail } from '../customers/customers.ts'
import { PasswordHasher } from './password-hasher.ts'

/** An address that needs no mail server: people who want mail set one. */
const EMAIL = 'admin@localhost'

/** 144 bits, as 24 characters. */
const PASSWORD_BYTES = 18

/** The first console account, for who started the service. */
export interface BootstrappedCustomer {
  readonly customerId: CustomerId
  readonly email: string
  /** Only when it was generated: one that was given is known. */
  readonly generatedPassword: string | undefined
}

/**
 * Creates the first console account, an admin of the first organisation, while there is no account; several processes may
 * try at once and one succeeds. Answers `undefined` when there was nothing to do.
 */
export async function bootstrapCustomer(
  catalog: Catalog,
  clock: Clock,
  given: { readonly email: string | undefined; readonly password: string | undefined },
): Promise<BootstrappedCustomer | undefined> {
  if (await hasCustomers(catalog)) return undefined
  const email = canonicalEmail(given.email ?? EMAIL)
  const generatedPassword =
    given.password === undefined ? randomBytes(PASSWORD_BYTES).toString('base64url') : undefined
  const passwordHash = await new PasswordHasher().hash(given.password ?? generatedPassword ?? '')
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
