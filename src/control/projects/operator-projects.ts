import type { ProjectId } from '../../contract/ids.ts'
import { ServiceError } from '../../contract/service-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import {
  firstOrganisationId,
  insertProject,
  listProjects,
  type ProjectRow,
} from '../../store/catalog/projects.ts'
import { inTransaction } from '../../store/catalog/transaction.ts'
import { explainNameTaken, requireBelowLimit } from './projects.ts'

/**
 * Creates a project in the first organisation, for the operator of the machine, who needs no account. Its name is unique in the
 * whole catalog, because {@link findProject} takes names. Throws `already_exists` for a name that is taken, and
 * `failed_precondition` at a limit and before the first start.
 */
export async function createOperatorProject(
  catalog: Catalog,
  clock: Clock,
  displayName: string,
): Promise<ProjectId> {
  const write = inTransaction(catalog, async (transaction) => {
    const organisationId = await firstOrganisationId(transaction)
    if (organisationId === undefined) throw noOrganisation()
    const taken = (await listProjects(transaction)).some((project) => project.displayName === displayName)
    if (taken) throw nameTaken(displayName)
    await requireBelowLimit(transaction, organisationId)
    return await insertProject(transaction, clock, { organisationId, displayName })
  })
  return await write.catch(explainNameTaken)
}

/**
 * Finds a project of any organisation by its id or its name, by default the first one. Throws `not_found`, and
 * `failed_precondition` when several projects match.
 */
export async function findProject(catalog: Catalog, text: string | undefined): Promise<ProjectRow> {
  const projects = await listProjects(catalog)
  if (text === undefined && projects[0]) return projects[0]
  const found = projects.filter(({ id, displayName }) => String(id) === text || displayName === text)
  if (found.length > 1) throw ambiguousName(found.length, text)
  if (!found[0]) throw noProject(text)
  return found[0]
}

function noOrganisation(): ServiceError {
  return new ServiceError({
    code: 'failed_precondition',
    reason: 'ORG_NOT_FOUND',
    message: 'there is no organisation yet; start the service once',
  })
}

function nameTaken(displayName: string): ServiceError {
  return new ServiceError({
    code: 'already_exists',
    reason: 'PROJECT_NAME_TAKEN',
    message: `the project ${displayName} already exists`,
  })
}

function ambiguousName(count: number, text: string | undefined): ServiceError {
  return new ServiceError({
    code: 'failed_precondition',
    reason: 'INVALID_REQUEST',
    message: `${count} projects are named ${text}; use an id`,
  })
}

function noProject(text: string | undefined): ServiceError {
  return new ServiceError({
    code: 'not_found',
    reason: 'PROJECT_NOT_FOUND',
    message: `there is no project ${text ?? 'yet'}; see millrace projects list`,
  })
}
