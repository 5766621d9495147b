import type { ConnectRouter, ServiceImpl } from '@connectrpc/connect'
import { CustomersService } from '../../contract/gen/dashboard/customers/v1/customers_service_pb.js'
import type { CustomerId } from '../../contract/ids.ts'
import { customerIdOf, customerOf } from '../../rpc/call-context.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { inTransaction } from '../../store/catalog/transaction.ts'
import { invalidToken } from '../access/access-errors.ts'
import type { PasswordHasher } from '../auth/password-hasher.ts'
import { endOtherSessions } from '../auth/refresh-sessions.ts'
import { findCustomer } from './customers.ts'

/** What the service of accounts works with. */
export interface CustomersPorts {
  readonly catalog: Catalog
  readonly passwords: PasswordHasher
}

/** Registers `dashboard.customers.v1.CustomersService`. */
export function registerCustomers(router: ConnectRouter, ports: CustomersPorts): void {
  router.service(CustomersService, createCustomersService(ports))
}

/** `dashboard.customers.v1.CustomersService`: the caller's own account. */
export function createCustomersService({
  catalog,
  passwords,
}: CustomersPorts): ServiceImpl<typeof CustomersService> {
  return {
    getMe: async (_, context) => {
      const customer = await findCustomer(catalog, customerIdOf(context))
      // The account went after the token was issued.
      if (!customer) throw invalidToken()
      return { customerId: customer.id, email: customer.email, emailVerified: customer.isEmailVerified }
    },
    setPassword: async ({ password }, context) => {
      const { customerId, sessionId } = customerOf(context)
      await setPassword(catalog, { customerId, sessionId, passwordHash: await passwords.hash(password) })
      return {}
    },
  }
}

/** Whoever knew the old password is signed out: every session ends but the one that sets the new one. */
async function setPassword(
  catalog: Catalog,
  { passwordHash, ...session }: SessionOf & { readonly passwordHash: string },
): Promise<void> {
  await inTransaction(catalog, async (transaction) => {
    const updated = await transaction
      .updateTable('customers')
      .set({ password_hash: passwordHash })
      .where('id', '=', session.customerId)
      .executeTakeFirst()
    if (updated.numUpdatedRows === 0n) throw invalidToken()
    await endOtherSessions(transaction, session)
  })
}

interface SessionOf {
  readonly customerId: CustomerId
  readonly sessionId: string
}
