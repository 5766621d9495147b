import type { Message } from '@bufbuild/protobuf'
import type { Interceptor } from '@connectrpc/connect'
import { callerKey } from '../../access/caller.ts'
import { asOrganisationId } from '../../contract/ids.ts'
import { ServiceError } from '../../contract/service-error.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { requireMembership } from '../organisations/membership.ts'
import { isSecondFactorRequired } from '../organisations/second-factor-rule.ts'
import { tokenRequired } from './access-errors.ts'
import { findAccessRule } from './role-table.ts'
import type { SessionReader } from './session-reader.ts'

/** Services whose calls may change roles or sessions. */
const CHANGES_ACCESS: ReadonlySet<string> = new Set([
  'dashboard.orgs.v1.OrgsService',
  'dashboard.projects.v1.ProjectsService',
  'dashboard.customers.v1.CustomersService',
  'millrace.account.v1.AssistantsService',
  'millrace.account.v1.IdentitiesService',
  'millrace.account.v1.InvitationsService',
  'millrace.account.v1.SecondFactorsService',
  'millrace.account.v1.SessionsService',
  'millrace.account.v1.TokensService',
  'millrace.projects.v1.ProjectMembersService',
  'public.auth.v1.AuthService',
])

/**
 * Checks the caller's role in the organisation of the message's `org_id`, and the second factor that it may require. Throws
 * `not_found` for an unknown organisation, and `permission_denied`.
 */
export function createOrganisationInterceptor(catalog: Catalog, sessions: SessionReader): Interceptor {
  return (next) => async (request) => {
    const { service, method } = request
    const rule = findAccessRule({ service: service.typeName, method: method.name })
    if (rule?.scope !== 'organisation' || request.stream) return await next(request)
    const caller = request.contextValues.get(callerKey)
    if (caller.kind !== 'customer') throw tokenRequired()
    const organisationId = asOrganisationId(organisationIdIn(request.message))
    await requireMembership(catalog, { organisationId, customerId: caller.customerId, needed: rule.least })
    if (await isSecondFactorRequired(catalog, organisationId)) await sessions.requireSecondFactor(caller)
    return await next(request)
  }
}

/** Clears the access caches after calls that may change them, so that this process reads its own writes. */
export function createCacheClearingInterceptor(readers: readonly { forget(): void }[]): Interceptor {
  return (next) => async (request) => {
    try {
      return await next(request)
    } finally {
      if (CHANGES_ACCESS.has(request.service.typeName)) for (const reader of readers) reader.forget()
    }
  }
}

function organisationIdIn(message: Message): string {
  const id = 'orgId' in message ? message.orgId : undefined
  if (typeof id === 'string' && id !== '') return id
  const description = 'is required'
  throw new ServiceError({
    code: 'invalid_argument',
    reason: 'INVALID_REQUEST',
    message: `orgId: ${description}`,
    violations: [{ field: 'orgId', description }],
  })
}
