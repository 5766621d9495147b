import type { ConnectRouter, ServiceImpl } from '@connectrpc/connect'
import { customerIdOf, customerOf } from '../../access/caller.ts'
import { CustomersService } from '../../contract/gen/dashboard/customers/v1/customers_service_pb.js'
import { SessionsService } from '../../contract/gen/millrace/account/v1/sessions_service_pb.js'
import { invalidToken } from '../access/access-errors.ts'
import { findCustomer } from './customers.ts'
import { createSessionsService } from './sessions-service.ts'
import { type SetPasswordPorts, setPassword } from './set-password.ts'

/** Registers `dashboard.customers.v1.CustomersService` and `millrace.account.v1.SessionsService`. */
export function registerCustomers(router: ConnectRouter, ports: SetPasswordPorts): void {
  router.service(CustomersService, createCustomersService(ports))
  router.service(SessionsService, createSessionsService(ports))
}

/** `dashboard.customers.v1.CustomersService`: the caller's own account. */
export function createCustomersService(ports: SetPasswordPorts): ServiceImpl<typeof CustomersService> {
  return {
    getMe: async (_, context) => {
      const customer = await findCustomer(ports.catalog, customerIdOf(context))
      // The account went after the token was issued.
      if (!customer) throw invalidToken()
      return { customerId: customer.id, email: customer.email, emailVerified: customer.isEmailVerified }
    },
    setPassword: async ({ password, currentPassword }, context) => {
      await setPassword(ports, { ...customerOf(context), password, currentPassword })
      return {}
    },
  }
}
