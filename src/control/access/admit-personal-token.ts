import type { Caller } from '../../access/caller.ts'
import { isScopeEnough } from '../../contract/token-scope.ts'
import { scopeNeededBy } from '../../domain/role-rules.ts'
import { type AddressRanges, clientNetwork } from '../../kernel/address-ranges.ts'
import { isAssistantToken } from '../../store/catalog/assistant-grants.ts'
import { projectOfToken } from '../../store/catalog/token-grants.ts'
import {
  notForThisResource,
  ownerWithoutSecondFactor,
  scopeTooLow,
} from '../../store/catalog/token-refusals.ts'
import { requireRole } from '../organisations/roles.ts'
import type { CallToAdmit } from './access-gate.ts'
import type { ProjectAccessReader } from './project-access-reader.ts'
import { findAccessRule } from './role-table.ts'
import type { TokenReader } from './token-reader.ts'

/** Dependencies of admitting tokens. */
export interface PersonalTokenPorts {
  readonly personalTokens: TokenReader
  readonly projects: ProjectAccessReader
  readonly trustedProxies: AddressRanges
}

/**
 * Admits a call with a personal access token, or with the access token of an assistant at `/mcp`, in the project that it names or that is the token's only one. The caller has the rights
 * that the token's scope and its owner's role in the project at this moment both include. Throws `unauthenticated`, `permission_denied`, `not_found`,
 * `resource_exhausted` and, without a project, `invalid_argument`.
 */
export async function admitPersonalToken(
  { personalTokens, projects, trustedProxies }: PersonalTokenPorts,
  text: string,
  call: CallToAdmit,
): Promise<Caller> {
  const { headers, audience } = call
  // Its assistant has it for that resource only (RFC 8707).
  if (isAssistantToken(text) && audience !== 'mcp') throw notForThisResource()
  // Ingestion has no rule: it takes keys, which write.
  const rule = findAccessRule(call)
  const network = clientNetwork(headers.get('x-forwarded-for') ?? '', trustedProxies)
  const token = await personalTokens.read({ text, network, check: rule?.session ?? 'checked' })
  const projectId = projectOfToken(token, headers.get('x-project-id') ?? '')
  if (typeof projectId !== 'number') throw projectId
  const needed = rule ? scopeNeededBy(rule) : 'write'
  if (!isScopeEnough({ scope: token.scope, needed })) throw scopeTooLow(needed)
  const { customerId, id: tokenId } = token
  const project = await projects.read({ customerId, projectId })
  const least = rule?.scope === 'project' ? rule.least : 'member'
  requireRole({ role: project.role, needed: least, in: 'project' })
  if (project.isSecondFactorRequired && !project.hasSecondFactor) throw ownerWithoutSecondFactor()
  return { kind: 'token', tokenId, customerId, project }
}
