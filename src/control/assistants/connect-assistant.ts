import type { CustomerId, ProjectId } from '../../contract/ids.ts'
import { ServiceError } from '../../contract/service-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import { type AssistantGrant, insertGrant, listGrants } from '../../store/catalog/assistant-grants.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { hasSecondFactor } from '../../store/catalog/has-second-factor.ts'
import { listOpenTo } from '../../store/catalog/project-roles.ts'
import { ownerWithoutSecondFactor } from '../../store/catalog/token-refusals.ts'
import { inTransaction } from '../../store/catalog/transaction.ts'
import { invalidField } from '../invalid-field.ts'
import { findRequest } from './consent-request.ts'
import { TICKET_MS } from './consent-ticket.ts'

/** Bounds lists of assistants, which have no pages. */
const GRANTS_PER_ACCOUNT_MAX = 50

/** The consent of a member. */
export interface Consent {
  readonly requestId: string
  readonly customerId: CustomerId
  readonly projectId: string
  readonly scope: AssistantGrant['scope']
}

/**
 * Stores a consent, which has no tokens yet. Throws `not_found` for an unknown request, `invalid_argument` for a scope beyond it and for a
 * project without access, `permission_denied` for an owner without the second factor that the organisation requires, and
 * `failed_precondition` at the limit.
 */
export async function connectAssistant(
  { catalog, clock }: { readonly catalog: Catalog; readonly clock: Clock },
  { requestId, customerId, projectId, scope }: Consent,
): Promise<AssistantGrant> {
  return await inTransaction(catalog, async (transaction) => {
    const { scope: asked, ...request } = await findRequest({ catalog: transaction, clock }, requestId)
    if (scope === 'write' && asked === 'read')
      throw invalidField('scope', 'must be read, as the assistant does not ask for more')
    const own = await requireOpenProject(transaction, customerId, projectId)
    const grants = await listGrants(transaction, clock, customerId)
    if (grants.length >= GRANTS_PER_ACCOUNT_MAX) throw tooManyAssistants()
    const expiresMs = clock.nowMs() + TICKET_MS
    return await insertGrant(transaction, clock, { ...request, customerId, projectId: own, scope, expiresMs })
  })
}

/** A project that the account has no access to is answered like one that does not exist. */
async function requireOpenProject(
  catalog: Catalog,
  customerId: CustomerId,
  sent: string,
): Promise<ProjectId> {
  const open = await listOpenTo(catalog, customerId)
  const found = open.find(({ projectId }) => String(projectId) === sent)
  if (!found) throw invalidField('projectId', 'must be the id of one of your projects')
  if (found.isSecondFactorRequired && !(await hasSecondFactor(catalog, customerId)))
    throw ownerWithoutSecondFactor()
  return found.projectId
}

function tooManyAssistants(): ServiceError {
  return new ServiceError({
    code: 'failed_precondition',
    reason: 'LIMIT_REACHED',
    message: `an account has at most ${GRANTS_PER_ACCOUNT_MAX} connected assistants; disconnect one first`,
  })
}
