import { asProjectId, type ProjectId } from '../../contract/ids.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Catalog } from './catalog.ts'

/** A project in a list. */
export interface ProjectRow {
  readonly id: ProjectId
  readonly organisationId: string
  readonly displayName: string
  readonly reportingTimezone: string
}

/** The domains of a project, from their column. */
export function parseDomains(column: string): readonly string[] {
  return splitColumn(column)
}

/** The blocked kinds of a project, from their column. */
export function parseKinds(column: string): readonly string[] {
  return splitColumn(column)
}

function splitColumn(column: string): readonly string[] {
  return column === '' ? NONE : column.split(' ')
}

const NONE: readonly string[] = []

/** Adds a project, by default with UTC as its reporting time zone; names are unique in an organisation. */
export async function insertProject(
  catalog: Catalog,
  clock: Clock,
  project: {
    readonly organisationId: string
    readonly displayName: string
    readonly reportingTimezone?: string
  },
): Promise<ProjectId> {
  const { id } = await catalog
    .insertInto('projects')
    .values({
      organisation_id: project.organisationId,
      display_name: project.displayName,
      reporting_timezone: project.reportingTimezone ?? 'UTC',
      created_ms: clock.nowMs(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return asProjectId(id)
}

/** Every project, in the order of creation. */
export async function listProjects(catalog: Catalog): Promise<ProjectRow[]> {
  const rows = await catalog.selectFrom('projects').selectAll().orderBy('id').execute()
  return rows.map((row) => ({
    id: asProjectId(row.id),
    organisationId: row.organisation_id,
    displayName: row.display_name,
    reportingTimezone: row.reporting_timezone,
  }))
}

/** The organisation that was created first; `undefined` before the first start. */
export async function firstOrganisationId(catalog: Catalog): Promise<string | undefined> {
  const row = await catalog
    .selectFrom('organisations')
    .select('id')
    .orderBy('created_ms')
    .limit(1)
    .executeTakeFirst()
  return row?.id
}
