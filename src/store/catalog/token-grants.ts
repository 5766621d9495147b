import { type ProjectId, parseProjectId } from '../../contract/ids.ts'
import { isRoleEnough, opensProject, roleInProject } from '../../contract/role.ts'
import type { ServiceError } from '../../contract/service-error.ts'
import { isScopeEnough } from '../../contract/token-scope.ts'
import type { ApiKeyGrant } from './api-keys.ts'
import type { Catalog } from './catalog.ts'
import { findToken, type PersonalToken } from './personal-tokens.ts'
import { selectProjectFor } from './project-roles.ts'
import { parseDomains, parseKinds } from './projects.ts'
import {
  noProjectNamed,
  otherProject,
  ownerMayNotSend,
  ownerNotAMember,
  ownerWithoutAccess,
  ownerWithoutSecondFactor,
  projectUnknown,
  scopeTooLow,
} from './token-refusals.ts'

/** The form of a text of {@link nameTokenUse}: the project may be any short text, which has an answer of its own. */
export const TOKEN_USE_PATTERN = /^pat_[A-Za-z0-9]{32}(?: [!-~]{1,32})?$/

/** A token and the header `x-project-id` of a call, as one text: what a token grants depends on both. */
export function nameTokenUse(text: string, project: string | undefined): string {
  return project ? `${text} ${project}` : text
}

/** What a token grants to ingestion in a project. */
export type TokenGrant =
  | { readonly kind: 'granted'; readonly grant: ApiKeyGrant }
  | { readonly kind: 'refused'; readonly refusal: ServiceError }
  | { readonly kind: 'unknown' }

/** The project of a call with a token: the one that the call names, or the only one that the token is for. */
export function projectOfToken(
  { projectIds }: Pick<PersonalToken, 'projectIds'>,
  named: string,
): ProjectId | ServiceError {
  if (named === '') {
    const [only, ...more] = projectIds
    return only !== undefined && more.length === 0 ? only : noProjectNamed()
  }
  const id = parseProjectId(named)
  if (projectIds.length > 0 && (id === undefined || !projectIds.includes(id))) return otherProject()
  return id ?? projectUnknown()
}

/** What a token grants to ingestion, by a text of {@link nameTokenUse}. Its limits have the expiry. */
export async function findTokenGrant(catalog: Catalog, name: string): Promise<TokenGrant> {
  const [text = '', named = ''] = name.split(' ', 2)
  const token = await findToken(catalog, text)
  if (!token) return { kind: 'unknown' }
  const projectId = projectOfToken(token, named)
  if (typeof projectId !== 'number') return { kind: 'refused', refusal: projectId }
  if (!isScopeEnough({ scope: token.scope, needed: 'write' }))
    return { kind: 'refused', refusal: scopeTooLow('write') }
  const row = await selectProjectFor(catalog, { projectId, customerId: token.customerId })
    .select(['projects.domains', 'projects.blocked_kinds'])
    .executeTakeFirst()
  if (!row) return { kind: 'refused', refusal: projectUnknown() }
  if (row.role === null) return { kind: 'refused', refusal: ownerNotAMember() }
  const role = roleInProject({ inOrganisation: row.role, ofProject: row.project_role })
  if (!opensProject(role)) return { kind: 'refused', refusal: ownerWithoutAccess() }
  if (!isRoleEnough({ role, needed: 'member' })) return { kind: 'refused', refusal: ownerMayNotSend() }
  if (row.second_factor_required === 1 && row.has_factor === 0)
    return { kind: 'refused', refusal: ownerWithoutSecondFactor() }
  const grant: ApiKeyGrant = {
    keyId: token.id,
    projectId,
    kind: 'private',
    domains: parseDomains(row.domains),
    blockedKinds: parseKinds(row.blocked_kinds),
    limits: { of: 'token', expiresMs: token.expiresMs, addresses: undefined },
  }
  return { kind: 'granted', grant }
}
