import { randomUUID } from 'node:crypto'
import { isCanonicalUuid, type ProjectId } from '../../contract/ids.ts'
import { ServiceError } from '../../contract/service-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { requireWithinLimit } from '../../store/catalog/row-limit.ts'
import type { ImportTable } from '../../store/catalog/schema/import-tables.ts'
import { inTransaction } from '../../store/catalog/transaction.ts'

/** What an import covers; days as `2026-01-31`. */
export interface ImportContent {
  readonly name: string
  readonly digest: string
  readonly firstDay: string
  readonly lastDay: string
  /** Numbers of the dimensions in the interface. */
  readonly dimensions: readonly number[]
}

/** A stored import. */
export interface StoredImport extends ImportContent {
  readonly id: string
  /** Last day that is shown. */
  readonly shownUntil: string
  readonly batches: number
  readonly rows: number
  readonly createdMs: number
  /** `undefined` while batches may be missing. */
  readonly finishedMs: number | undefined
}

/** Key of an import: one of another project is not found. */
export interface StoredImportKey {
  readonly projectId: ProjectId
  readonly id: string
}

/** Dependencies of changes to imports. */
export interface ImportStore {
  readonly catalog: Catalog
  readonly clock: Clock
}

/** Bounds lists of imports, which have no pages, and the conditions of a query about their days. */
const IMPORTS_PER_PROJECT_MAX = 20

/** The imports of a project, oldest first. */
export async function loadImports(catalog: Catalog, projectId: ProjectId): Promise<readonly StoredImport[]> {
  const rows = await catalog
    .selectFrom('imports')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('created_ms')
    .orderBy('id')
    .execute()
  return rows.map(decode)
}

/** Reads an import. Throws `not_found`. */
export async function readImport(
  catalog: Catalog,
  { projectId, id }: StoredImportKey,
): Promise<StoredImport> {
  const row = await catalog
    .selectFrom('imports')
    .selectAll()
    .where('id', '=', parseId(id))
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  if (!row) throw importNotFound()
  return decode(row)
}

/** The import of a project with a digest, if there is one. */
export async function findImport(
  catalog: Catalog,
  { projectId, digest }: { readonly projectId: ProjectId; readonly digest: string },
): Promise<StoredImport | undefined> {
  const row = await catalog
    .selectFrom('imports')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('digest', '=', digest)
    .executeTakeFirst()
  return row && decode(row)
}

/**
 * Creates an import; the one that another call has created meanwhile is returned as it is. Throws `failed_precondition` at the
 * project's limit.
 */
export async function createImport(
  { catalog, clock }: ImportStore,
  projectId: ProjectId,
  { content, shownUntil }: { readonly content: ImportContent; readonly shownUntil: string },
): Promise<StoredImport> {
  const row: ImportTable = {
    id: randomUUID(),
    project_id: projectId,
    name: content.name,
    digest: content.digest,
    first_day: content.firstDay,
    last_day: content.lastDay,
    shown_until: shownUntil,
    dimensions: JSON.stringify(content.dimensions),
    batches: 0,
    row_count: 0,
    created_ms: clock.nowMs(),
    finished_ms: null,
  }
  return await inTransaction(catalog, async (transaction) => {
    await transaction
      .insertInto('imports')
      .values(row)
      .onConflict((conflict) => conflict.columns(['project_id', 'digest']).doNothing())
      .execute()
    await requireWithinLimit(transaction, { table: 'imports', projectId, countMax: IMPORTS_PER_PROJECT_MAX })
    return (await findImport(transaction, { projectId, digest: content.digest })) ?? decode(row)
  })
}

/** Changes the last day that is shown. Throws `not_found`. */
export async function showUntil(catalog: Catalog, key: StoredImportKey, day: string): Promise<StoredImport> {
  await change(catalog, key, { shown_until: day })
  return await readImport(catalog, key)
}

/** Counts a batch that is stored, unless it is counted already. Throws `not_found`. */
export async function countBatch(
  catalog: Catalog,
  key: StoredImportKey,
  { batch, rows }: { readonly batch: number; readonly rows: number },
): Promise<StoredImport> {
  await catalog
    .updateTable('imports')
    .set(({ eb }) => ({ batches: batch + 1, row_count: eb('row_count', '+', rows) }))
    .where('id', '=', key.id)
    .where('project_id', '=', key.projectId)
    .where('batches', '=', batch)
    .execute()
  return await readImport(catalog, key)
}

/** Marks an import as complete, unless it is already. Throws `not_found`. */
export async function finishImport(
  { catalog, clock }: ImportStore,
  { projectId, id }: StoredImportKey,
): Promise<StoredImport> {
  await catalog
    .updateTable('imports')
    .set({ finished_ms: clock.nowMs() })
    .where('id', '=', id)
    .where('project_id', '=', projectId)
    .where('finished_ms', 'is', null)
    .execute()
  return await readImport(catalog, { projectId, id })
}

/** Deletes an import from the catalog, so that none of its days is shown. Throws `not_found`. */
export async function deleteImport(catalog: Catalog, { projectId, id }: StoredImportKey): Promise<void> {
  const deleted = await catalog
    .deleteFrom('imports')
    .where('id', '=', parseId(id))
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  if (deleted.numDeletedRows === 0n) throw importNotFound()
}

async function change(
  catalog: Catalog,
  { projectId, id }: StoredImportKey,
  values: Partial<Pick<ImportTable, 'shown_until'>>,
): Promise<void> {
  await catalog
    .updateTable('imports')
    .set(values)
    .where('id', '=', id)
    .where('project_id', '=', projectId)
    .execute()
}

/** Rejects texts that are not ids: PostgreSQL rejects some characters. */
function parseId(id: string): string {
  if (!isCanonicalUuid(id)) throw importNotFound()
  return id
}

function importNotFound(): ServiceError {
  return new ServiceError({
    code: 'not_found',
    reason: 'IMPORT_NOT_FOUND',
    message: 'there is no import with this id',
  })
}

function decode(row: ImportTable): StoredImport {
  return {
    id: row.id,
    name: row.name,
    digest: row.digest,
    firstDay: row.first_day,
    lastDay: row.last_day,
    shownUntil: row.shown_until,
    dimensions: JSON.parse(row.dimensions) as readonly number[],
    batches: row.batches,
    rows: row.row_count,
    createdMs: row.created_ms,
    finishedMs: row.finished_ms ?? undefined,
  }
}
