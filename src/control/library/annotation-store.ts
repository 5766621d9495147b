import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import { isCanonicalUuid, type ProjectId } from '../../contract/ids.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { decodePageToken, encodePageToken, invalidPageToken } from '../../rpc/page-token.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { requireWithinLimit } from '../../store/catalog/row-limit.ts'
import type { AnnotationTable } from '../../store/catalog/schema/library-tables.ts'
import { inTransaction } from '../../store/catalog/transaction.ts'
import type { Authorship } from './saved-insight.ts'

/** The content of an annotation. */
export interface AnnotationContent {
  readonly timeMs: number
  readonly text: string
  /** The only dashboard that shows it; empty for the whole project. */
  readonly dashboardId: string
}

/** A stored annotation. */
export interface Annotation extends AnnotationContent {
  readonly id: string
  /** The account of the creator; empty for an API key. */
  readonly createdBy: string
  readonly createdMs: number
  readonly updatedMs: number
}

/** Key of an annotation: one of another project is not found. */
export interface AnnotationKey {
  readonly projectId: ProjectId
  readonly id: string
}

/** The annotations of a list. */
export interface AnnotationSelection {
  readonly projectId: ProjectId
  /** Those of the project and of this dashboard; empty for those of the project; absent for all. */
  readonly dashboardId: string | undefined
  /** Half-open. */
  readonly range: { readonly fromMs: number; readonly toMs: number } | undefined
  readonly pageSize: number
  readonly pageToken: string
}

/** Bounds the rows of a project: several releases a day for years. */
const ANNOTATIONS_PER_PROJECT_MAX = 10_000

/** One page of annotations, latest instant first. Throws `invalid_argument` for a page token of another list. */
export async function listAnnotations(
  catalog: Catalog,
  { projectId, dashboardId, range, pageSize, pageToken }: AnnotationSelection,
): Promise<{ readonly annotations: readonly Annotation[]; readonly nextPageToken: string }> {
  let query = catalog.selectFrom('annotations').selectAll().where('project_id', '=', projectId)
  if (dashboardId !== undefined) {
    query = query.where(({ eb, or }) =>
      or([
        eb('dashboard_id', 'is', null),
        ...(isCanonicalUuid(dashboardId) ? [eb('dashboard_id', '=', dashboardId)] : []),
      ]),
    )
  }
  if (range) query = query.where('time_ms', '>=', range.fromMs).where('time_ms', '<', range.toMs)
  const after = parsePosition(pageToken)
  if (after) {
    query = query.where(({ eb, and, or }) =>
      or([
        eb('time_ms', '<', after.timeMs),
        and([eb('time_ms', '=', after.timeMs), eb('id', '<', after.id)]),
      ]),
    )
  }
  const rows = await query
    .orderBy('time_ms', 'desc')
    .orderBy('id', 'desc')
    .limit(pageSize + 1)
    .execute()
  const page = rows.slice(0, pageSize).map(decodeAnnotation)
  const last = page.at(-1)
  const isLast = rows.length <= pageSize
  return { annotations: page, nextPageToken: last && !isLast ? encodePageToken([last.timeMs, last.id]) : '' }
}

/** One annotation. Throws `not_found`. */
export async function readAnnotation(
  catalog: Catalog,
  { projectId, id }: AnnotationKey,
): Promise<Annotation> {
  const row = await catalog
    .selectFrom('annotations')
    .selectAll()
    .where('id', '=', parseId(id))
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  if (!row) throw annotationNotFound()
  return decodeAnnotation(row)
}

/** Creates an annotation. Throws `failed_precondition` at the project's limit. */
export async function createAnnotation(
  catalog: Catalog,
  projectId: ProjectId,
  { account, nowMs, ...content }: AnnotationContent & Authorship,
): Promise<Annotation> {
  const row = {
    id: randomUUID(),
    project_id: projectId,
    ...encodeContent(content),
    created_by: account,
    created_ms: nowMs,
    updated_ms: nowMs,
  }
  return await inTransaction(catalog, async (transaction) => {
    await transaction.insertInto('annotations').values(row).execute()
    await requireWithinLimit(transaction, {
      table: 'annotations',
      projectId,
      countMax: ANNOTATIONS_PER_PROJECT_MAX,
    })
    return decodeAnnotation(row)
  })
}

/** Replaces the content of an annotation. Throws `not_found`. */
export async function replaceAnnotation(
  catalog: Catalog,
  { projectId, id }: AnnotationKey,
  { nowMs, ...content }: AnnotationContent & { readonly nowMs: number },
): Promise<Annotation> {
  const row = await catalog
    .updateTable('annotations')
    .set({ ...encodeContent(content), updated_ms: nowMs })
    .where('project_id', '=', projectId)
    .where('id', '=', parseId(id))
    .returningAll()
    .executeTakeFirst()
  if (!row) throw annotationNotFound()
  return decodeAnnotation(row)
}

/** Deletes an annotation. Throws `not_found`. */
export async function deleteAnnotation(catalog: Catalog, { projectId, id }: AnnotationKey): Promise<void> {
  const deleted = await catalog
    .deleteFrom('annotations')
    .where('id', '=', parseId(id))
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  if (deleted.numDeletedRows === 0n) throw annotationNotFound()
}

function encodeContent({ timeMs, text, dashboardId }: AnnotationContent) {
  return { time_ms: timeMs, text, dashboard_id: dashboardId === '' ? null : dashboardId }
}

function decodeAnnotation(row: Selectable<AnnotationTable>): Annotation {
  return {
    id: row.id,
    timeMs: row.time_ms,
    text: row.text,
    dashboardId: row.dashboard_id ?? '',
    createdBy: row.created_by,
    createdMs: row.created_ms,
    updatedMs: row.updated_ms,
  }
}

function parsePosition(token: string): { readonly timeMs: number; readonly id: string } | undefined {
  if (token === '') return undefined
  const [timeMs, id, ...rest] = decodePageToken(token)
  const isTime = typeof timeMs === 'number' && Number.isSafeInteger(timeMs)
  if (!isTime || typeof id !== 'string' || !isCanonicalUuid(id) || rest.length > 0) throw invalidPageToken()
  return { timeMs, id }
}

/** Rejects texts that are not ids: PostgreSQL rejects some characters. */
function parseId(id: string): string {
  if (!isCanonicalUuid(id)) throw annotationNotFound()
  return id
}

function annotationNotFound(): ServiceError {
  return new ServiceError({
    code: 'not_found',
    reason: 'ANNOTATION_NOT_FOUND',
    message: 'there is no annotation with this id',
  })
}
