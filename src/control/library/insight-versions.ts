import type { InsightContent } from '../../contract/gen/millrace/library/v1/saved_insight_pb.js'
import { ServiceError } from '../../contract/service-error.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import type { SavedInsightTable } from '../../store/catalog/schema/library-tables.ts'
import { decodeContent } from './saved-insight.ts'

/** A content that an insight has or had. */
export interface StoredVersion {
  readonly version: number
  readonly content: InsightContent
  readonly createdBy: string
  readonly createdMs: number
}

/** Versions that an insight keeps, the current one included. */
const VERSIONS_MAX = 20

/** Keeps the content of a row as a version, and drops the versions that are too old. */
export async function insertVersion(
  transaction: Catalog,
  row: Pick<
    SavedInsightTable,
    'id' | 'project_id' | 'version' | 'content' | 'content_bytes' | 'updated_by' | 'updated_ms'
  >,
): Promise<void> {
  const { id, project_id, version, content, content_bytes, updated_by, updated_ms } = row
  await transaction
    .insertInto('saved_insight_versions')
    .values({
      insight_id: id,
      project_id,
      version,
      content,
      content_bytes,
      created_by: updated_by,
      created_ms: updated_ms,
    })
    .execute()
  await transaction
    .deleteFrom('saved_insight_versions')
    .where('insight_id', '=', id)
    .where('version', '<=', version - VERSIONS_MAX)
    .execute()
}

/** The versions of an insight, newest first. */
export async function loadVersions(catalog: Catalog, id: string): Promise<readonly StoredVersion[]> {
  const rows = await catalog
    .selectFrom('saved_insight_versions')
    .selectAll()
    .where('insight_id', '=', id)
    .orderBy('version', 'desc')
    .execute()
  return rows.map((row) => ({
    version: row.version,
    content: decodeContent(row.content),
    createdBy: row.created_by,
    createdMs: row.created_ms,
  }))
}

/** The content of a version. Throws `not_found`. */
export async function readVersion(
  catalog: Catalog,
  { id, version }: { readonly id: string; readonly version: number },
): Promise<InsightContent> {
  const row = await catalog
    .selectFrom('saved_insight_versions')
    .select('content')
    .where('insight_id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst()
  if (row) return decodeContent(row.content)
  throw new ServiceError({
    code: 'not_found',
    reason: 'INSIGHT_VERSION_NOT_FOUND',
    message: `the saved insight has no version ${version}; the last ${VERSIONS_MAX} are kept`,
  })
}
