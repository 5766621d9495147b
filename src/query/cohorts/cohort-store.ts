import { randomUUID } from 'node:crypto'
import { fromJsonString, toJsonString } from '@bufbuild/protobuf'
import {
  type CohortDefinition,
  CohortDefinitionSchema,
} from '../../contract/gen/millrace/cohorts/v1/cohort_pb.js'
import { ReportInputSchema } from '../../contract/gen/millrace/reports/v1/reports_service_pb.js'
import { isCanonicalUuid, type ProjectId } from '../../contract/ids.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { cohortNotFound } from '../../domain/insights/cohort-filters.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { requireWithinLimit } from '../../store/catalog/row-limit.ts'
import type { CohortTable } from '../../store/catalog/schema/project-tables.ts'

/** A stored cohort. */
export interface Cohort {
  readonly id: string
  readonly name: string
  readonly description: string
  /** `undefined` for a static cohort. */
  readonly definition: CohortDefinition | undefined
  /** The account of the creator; empty for an API key. */
  readonly createdBy: string
  /** Grows with every change of the users. */
  readonly revision: number
  readonly createdMs: number
  readonly updatedMs: number
}

/** The content of a cohort, besides the ids of a static one. */
export type CohortContent = Pick<Cohort, 'name' | 'description' | 'definition'>

/** Key of a cohort: one of another project is not found. */
export interface CohortKey {
  readonly projectId: ProjectId
  readonly id: string
}

/** Bounds lists of cohorts, which have no pages, and the work of finding the cohorts of a user. */
const COHORTS_PER_PROJECT_MAX = 200

/** The cohorts of a project, by name. */
export async function loadCohorts(catalog: Catalog, projectId: ProjectId): Promise<readonly Cohort[]> {
  const rows = await catalog
    .selectFrom('cohorts')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('name')
    .orderBy('id')
    .execute()
  return rows.map(decodeCohort)
}

/** The cohorts with some ids, in any order; unknown ids are left out. */
export async function loadCohortsById(
  catalog: Catalog,
  projectId: ProjectId,
  ids: readonly string[],
): Promise<readonly Cohort[]> {
  const known = ids.filter(isCanonicalUuid)
  if (known.length === 0) return []
  const rows = await catalog
    .selectFrom('cohorts')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('id', 'in', known)
    .execute()
  return rows.map(decodeCohort)
}

/** Reads one cohort. Throws `not_found`. */
export async function readCohort(catalog: Catalog, { projectId, id }: CohortKey): Promise<Cohort> {
  const [cohort] = await loadCohortsById(catalog, projectId, [id])
  if (!cohort) throw cohortNotFound()
  return cohort
}

/** Stores a cohort. Throws `failed_precondition` at the project's limit. */
export async function insertCohort(
  transaction: Catalog,
  projectId: ProjectId,
  content: CohortContent & { readonly createdBy: string; readonly nowMs: number },
): Promise<Cohort> {
  const row = {
    id: randomUUID(),
    project_id: projectId,
    ...encodeContent(content),
    created_by: content.createdBy,
    revision: 1,
    created_ms: content.nowMs,
    updated_ms: content.nowMs,
  }
  await transaction.insertInto('cohorts').values(row).execute()
  await requireWithinLimit(transaction, { table: 'cohorts', projectId, countMax: COHORTS_PER_PROJECT_MAX })
  return decodeCohort(row)
}

/** Replaces the content of a cohort. Throws `not_found`. */
export async function replaceCohort(
  transaction: Catalog,
  { projectId, id }: CohortKey,
  content: CohortContent & { readonly nowMs: number },
): Promise<Cohort> {
  const row = await transaction
    .updateTable('cohorts')
    .set((row) => ({
      ...encodeContent(content),
      updated_ms: content.nowMs,
      revision: row('revision', '+', 1),
    }))
    .where('project_id', '=', projectId)
    .where('id', '=', parseId(id))
    .returningAll()
    .executeTakeFirst()
  if (!row) throw cohortNotFound()
  return decodeCohort(row)
}

/** Records a change of a static cohort's list; its revision becomes the version of the change. Throws `not_found`. */
export async function reviseCohort(
  catalog: Catalog,
  { projectId, id }: CohortKey,
  nowMs: number,
): Promise<Cohort> {
  const row = await catalog
    .updateTable('cohorts')
    .set((row) => ({ updated_ms: nowMs, revision: row('revision', '+', 1) }))
    .where('project_id', '=', projectId)
    .where('id', '=', parseId(id))
    .returningAll()
    .executeTakeFirst()
  if (!row) throw cohortNotFound()
  return decodeCohort(row)
}

/** Deletes a cohort. Throws `not_found`, or `failed_precondition` while something uses it. */
export async function deleteCohort(transaction: Catalog, key: CohortKey): Promise<void> {
  const { projectId, id } = key
  await readCohort(transaction, key)
  const users = await listUses(transaction, key)
  if (users.length > 0) {
    throw new ServiceError({
      code: 'failed_precondition',
      reason: 'COHORT_IN_USE',
      message: `the cohort is used by ${users.join(', ')}; change or delete that first`,
    })
  }
  await transaction.deleteFrom('cohorts').where('id', '=', id).where('project_id', '=', projectId).execute()
}

const USES_NAMED_MAX = 10

/** What uses a cohort, as words for a message. Stored texts contain the random id only where they use the cohort. */
async function listUses(catalog: Catalog, { projectId, id }: CohortKey): Promise<readonly string[]> {
  const mention = `%${id}%`
  const cohorts = await catalog
    .selectFrom('cohorts')
    .select('name')
    .where('project_id', '=', projectId)
    .where('id', '!=', id)
    .where('definition', 'like', mention)
    .orderBy('name')
    .limit(USES_NAMED_MAX)
    .execute()
  const dashboards = await catalog
    .selectFrom('dashboards')
    .select('display_name')
    .where('project_id', '=', projectId)
    .where('tiles', 'like', mention)
    .orderBy('display_name')
    .limit(USES_NAMED_MAX)
    .execute()
  const insights = await catalog
    .selectFrom('saved_insights')
    .select('name')
    .where('project_id', '=', projectId)
    .where('content', 'like', mention)
    .orderBy('name')
    .limit(USES_NAMED_MAX)
    .execute()
  const alerts = await catalog
    .selectFrom('alerts')
    .select('name')
    .where('project_id', '=', projectId)
    .where('content', 'like', mention)
    .orderBy('name')
    .limit(USES_NAMED_MAX)
    .execute()
  const reports = await catalog
    .selectFrom('reports')
    .select('spec')
    .where('project_id', '=', projectId)
    .where('spec', 'like', mention)
    .limit(USES_NAMED_MAX)
    .execute()
  return [
    ...cohorts.map(({ name }) => `the cohort "${name}"`),
    ...dashboards.map(({ display_name }) => `the dashboard "${display_name}"`),
    ...insights.map(({ name }) => `the saved insight "${name}"`),
    ...alerts.map(({ name }) => `the alert "${name}"`),
    ...reports.map(({ spec }) => `the report "${nameOfReport(spec)}"`),
  ]
}

function nameOfReport(spec: string): string {
  return fromJsonString(ReportInputSchema, spec, { ignoreUnknownFields: true }).name
}

/** Rejects texts that are not ids: PostgreSQL rejects some characters. */
function parseId(id: string): string {
  if (!isCanonicalUuid(id)) throw cohortNotFound()
  return id
}

type Content = Pick<CohortTable, 'name' | 'description' | 'definition'>

function encodeContent({ name, description, definition }: CohortContent): Content {
  return {
    name,
    description,
    definition: definition ? toJsonString(CohortDefinitionSchema, definition) : null,
  }
}

/** Ignores fields that a later release may have stored. */
function decodeCohort(row: Omit<CohortTable, 'project_id'>): Cohort {
  const { definition } = row
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    definition:
      definition === null
        ? undefined
        : fromJsonString(CohortDefinitionSchema, definition, { ignoreUnknownFields: true }),
    createdBy: row.created_by,
    revision: row.revision,
    createdMs: row.created_ms,
    updatedMs: row.updated_ms,
  }
}
