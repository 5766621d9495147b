import { create } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import type { ConnectRouter, ServiceImpl } from '@connectrpc/connect'
import { customerIdOf, customerOf } from '../../access/caller.ts'
import { CustomersService } from '../../contract/gen/dashboard/customers/v1/customers_service_pb.js'
import { AssistantsService } from '../../contract/gen/millrace/account/v1/assistants_service_pb.js'
import { IdentitiesService } from '../../contract/gen/millrace/account/v1/identities_service_pb.js'
import { SecondFactorsService } from '../../contract/gen/millrace/account/v1/second_factors_service_pb.js'
import {
  type Session,
  SessionSchema,
  SessionsService,
  SignInMethod,
} from '../../contract/gen/millrace/account/v1/sessions_service_pb.js'
import { TokensService } from '../../contract/gen/millrace/account/v1/tokens_service_pb.js'
import { invalidToken } from '../access/access-errors.ts'
import { type AssistantsPorts, createAssistantsService } from '../assistants/assistants-service.ts'
import {
  type AccountSession,
  endOtherSessions,
  endSessionOf,
  listSessions,
} from '../customers/account-sessions.ts'
import { findCustomer } from '../customers/customers.ts'
import { createIdentitiesService, type IdentitiesPorts } from './identities-service.ts'
import type { SecondFactorsPorts } from './prove-second-factor.ts'
import { createSecondFactorsService } from './second-factors-service.ts'
import { type SetPasswordPorts, setPassword } from './set-password.ts'
import { createTokensService } from './tokens-service.ts'

/** Dependencies of the services of an account. */
export type AccountPorts = SetPasswordPorts &
  Pick<IdentitiesPorts, 'oidc'> &
  SecondFactorsPorts &
  AssistantsPorts

/** Registers `dashboard.customers.v1.CustomersService`, and the sessions, tokens, assistants, identities and second factor of an account. */
export function registerCustomers(router: ConnectRouter, ports: AccountPorts): void {
  router.service(CustomersService, createCustomersService(ports))
  router.service(SessionsService, createSessionsService(ports))
  router.service(TokensService, createTokensService(ports))
  router.service(AssistantsService, createAssistantsService(ports))
  router.service(IdentitiesService, createIdentitiesService(ports))
  router.service(SecondFactorsService, createSecondFactorsService(ports))
}

/** `dashboard.customers.v1.CustomersService`: the caller's own account. */
export function createCustomersService(ports: SetPasswordPorts): ServiceImpl<typeof CustomersService> {
  return {
    getMe: async (_, context) => {
      const customer = await findCustomer(ports.catalog, customerIdOf(context))
      // The account was deleted after the token was issued.
      if (!customer) throw invalidToken()
      const { id: customerId, email, isEmailVerified, passwordHash } = customer
      return { customerId, email, emailVerified: isEmailVerified, hasPassword: passwordHash !== undefined }
    },
    setPassword: async ({ password, currentPassword }, context) => {
      await setPassword(ports, { ...customerOf(context), password, currentPassword })
      return {}
    },
  }
}

/** Dependencies of the sessions of an account. */
export type SessionsPorts = Pick<SetPasswordPorts, 'catalog' | 'clock' | 'providers'>

const METHODS = {
  password: SignInMethod.PASSWORD,
  link: SignInMethod.LINK,
  google: SignInMethod.GOOGLE,
  oidc: SignInMethod.OIDC,
  '': SignInMethod.UNSPECIFIED,
} as const satisfies Record<AccountSession['method'], SignInMethod>

/** `millrace.account.v1.SessionsService`: the sessions of the caller's own account. */
export function createSessionsService(ports: SessionsPorts): ServiceImpl<typeof SessionsService> {
  const providerIds = new Map(ports.providers.map(({ issuer, id }) => [issuer, id]))
  return {
    list: async (_, context) => {
      const { customerId, sessionId } = customerOf(context)
      const found = await listSessions(ports, customerId)
      return {
        sessions: found.map((session) => ({
          ...toMessage(session, sessionId),
          providerId: providerIds.get(session.issuer) ?? '',
        })),
      }
    },
    end: async ({ id }, context) => {
      const { customerId } = customerOf(context)
      await endSessionOf(ports.catalog, { customerId, sessionId: id })
      return {}
    },
    endOthers: async (_, context) => {
      await endOtherSessions(ports.catalog, customerOf(context))
      return {}
    },
  }
}

function toMessage(session: AccountSession, currentId: string): Session {
  const { id, method, createdMs, lastUsedMs, factorMs } = session
  return create(SessionSchema, {
    id,
    signInMethod: METHODS[method],
    createTime: timestampFromMs(createdMs),
    lastUsedTime: timestampFromMs(lastUsedMs),
    isCurrent: id === currentId,
    ...(factorMs > 0 && { secondFactorTime: timestampFromMs(factorMs) }),
  })
}
