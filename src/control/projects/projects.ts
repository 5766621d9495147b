import type { Selectable } from 'kysely'
import { asOrganisationId, asProjectId, type OrganisationId, type ProjectId } from '../../contract/ids.ts'
import { opensProject, type Role, roleInProject } from '../../contract/role.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { checkTimeZoneName } from '../../domain/time-zone-name.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { listRolesOf } from '../../store/catalog/project-roles.ts'
import { parseDomains } from '../../store/catalog/projects.ts'
import { followTimeZone } from '../../store/catalog/recurring-store.ts'
import type { ProjectTable } from '../../store/catalog/schema/project-tables.ts'
import { inTransaction, isUniqueViolation } from '../../store/catalog/transaction.ts'
import { type MembershipKey, requireMembership } from '../organisations/membership.ts'

/** A project, as presented to its members. */
export interface Project {
  readonly id: ProjectId
  readonly organisationId: OrganisationId
  readonly displayName: string
  readonly reportingTimezone: string
  /** The displayable part of its push credentials, as JSON; empty without credentials. */
  readonly fcmRedacted: string
  /** Whether the console leaves bots out of new insights. */
  readonly excludeBots: boolean
  /** Whether it was created with generated traffic. */
  readonly isDemo: boolean
  /** Its own domains, in lower case and ascending. */
  readonly domains: readonly string[]
}

/** A project, and the role of one of its members there. */
export interface OpenProject extends Project {
  readonly role: Role
}

/** Bounds lists of projects, which have no pages. */
const PROJECTS_PER_ORGANISATION_MAX = 1000

/** The projects of an organisation that are open to a member, oldest first; requires one. */
export async function listProjects(catalog: Catalog, key: MembershipKey): Promise<OpenProject[]> {
  const inOrganisation = await requireMembership(catalog, { ...key, needed: 'guest' })
  const given = await listRolesOf(catalog, key)
  const rows = await catalog
    .selectFrom('projects')
    .selectAll()
    .where('organisation_id', '=', key.organisationId)
    .orderBy('id')
    .execute()
  return rows
    .map((row) => ({
      ...toProject(row),
      role: roleInProject({ inOrganisation, ofProject: given.get(row.id) }),
    }))
    .filter(({ role }) => opensProject(role))
}

/** One project. Throws `not_found`. */
export async function readProject(catalog: Catalog, id: ProjectId): Promise<Project> {
  const row = await catalog.selectFrom('projects').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw projectNotFound()
  return toProject(row)
}

/**
 * Creates a project; requires an admin. Throws `already_exists` for a name that is taken, and `failed_precondition` at a limit.
 */
export async function createProject(
  catalog: Catalog,
  clock: Clock,
  project: MembershipKey & {
    readonly displayName: string
    readonly reportingTimezone: string
    readonly isDemo?: boolean
  },
): Promise<Project> {
  const reporting_timezone = project.reportingTimezone === '' ? 'UTC' : project.reportingTimezone
  const write = inTransaction(catalog, async (transaction) => {
    await requireMembership(transaction, { ...project, needed: 'admin' })
    checkTimeZoneName(reporting_timezone, 'reporting_timezone')
    await requireBelowLimit(transaction, project.organisationId)
    if (project.isDemo) await requireNoDemo(transaction, project.organisationId)
    return await transaction
      .insertInto('projects')
      .values({
        organisation_id: project.organisationId,
        display_name: project.displayName,
        reporting_timezone,
        is_demo: project.isDemo ? 1 : 0,
        created_ms: clock.nowMs(),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
  })
  return toProject(await write.catch(explainNameTaken))
}

/** Changes a project; empty fields stay unchanged. Throws `already_exists` for a name that is taken. */
export async function updateProject(
  catalog: Catalog,
  change: {
    readonly id: ProjectId
    readonly displayName: string
    readonly reportingTimezone: string
    readonly excludeBots?: boolean | undefined
    readonly domains?: readonly string[] | undefined
  },
): Promise<Project> {
  const { id, displayName, reportingTimezone, excludeBots, domains } = change
  if (reportingTimezone !== '') checkTimeZoneName(reportingTimezone, 'reporting_timezone')
  const fields = {
    ...(displayName === '' ? {} : { display_name: displayName }),
    ...(reportingTimezone === '' ? {} : { reporting_timezone: reportingTimezone }),
    ...(excludeBots === undefined ? {} : { exclude_bots: excludeBots ? 1 : 0 }),
    ...(domains === undefined ? {} : { domains: toColumn(domains) }),
  }
  if (Object.keys(fields).length === 0) return await readProject(catalog, id)
  const row = await inTransaction(catalog, async (transaction) => {
    if (reportingTimezone !== '') await followTimeZone(transaction, id)
    return await transaction
      .updateTable('projects')
      .set(fields)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst()
  }).catch(explainNameTaken)
  if (!row) throw projectNotFound()
  return toProject(row)
}

function toColumn(domains: readonly string[]): string {
  return [...new Set(domains.map((domain) => domain.toLowerCase()))].sort().join(' ')
}

/** The project does not exist, or was deleted. */
export function projectNotFound(): ServiceError {
  return new ServiceError({
    code: 'not_found',
    reason: 'PROJECT_NOT_FOUND',
    message: 'there is no project with this id',
  })
}

/** Throws `failed_precondition` when the organisation has as many projects as it may have. */
export async function requireBelowLimit(transaction: Catalog, organisationId: string): Promise<void> {
  const { count } = await transaction
    .selectFrom('projects')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('organisation_id', '=', organisationId)
    .executeTakeFirstOrThrow()
  if (count < PROJECTS_PER_ORGANISATION_MAX) return
  throw new ServiceError({
    code: 'failed_precondition',
    reason: 'LIMIT_REACHED',
    message: `an organisation has at most ${PROJECTS_PER_ORGANISATION_MAX} projects`,
  })
}

async function requireNoDemo(transaction: Catalog, organisationId: OrganisationId): Promise<void> {
  const demo = await transaction
    .selectFrom('projects')
    .select('id')
    .where('organisation_id', '=', organisationId)
    .where('is_demo', '=', 1)
    .executeTakeFirst()
  if (!demo) return
  throw new ServiceError({
    code: 'failed_precondition',
    reason: 'LIMIT_REACHED',
    message: 'the organisation has a demo project already; delete it first',
  })
}

/** Throws `already_exists` for a violated unique name, and any other error as it is. */
export function explainNameTaken(error: unknown): never {
  if (!isUniqueViolation(error)) throw error
  throw new ServiceError({
    code: 'already_exists',
    reason: 'PROJECT_NAME_TAKEN',
    message: 'the organisation already has a project with this name',
    cause: error,
  })
}

function toProject(row: Selectable<ProjectTable>): Project {
  return {
    id: asProjectId(row.id),
    organisationId: asOrganisationId(row.organisation_id),
    displayName: row.display_name,
    reportingTimezone: row.reporting_timezone,
    fcmRedacted: row.fcm_redacted ?? '',
    excludeBots: row.exclude_bots === 1,
    isDemo: row.is_demo === 1,
    domains: parseDomains(row.domains),
  }
}
