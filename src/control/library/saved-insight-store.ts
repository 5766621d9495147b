import { randomUUID } from 'node:crypto'
import { clone } from '@bufbuild/protobuf'
import {
  type InsightContent,
  InsightContentSchema,
} from '../../contract/gen/millrace/library/v1/saved_insight_pb.js'
import type { ProjectId } from '../../contract/ids.ts'
import { ServiceError } from '../../contract/service-error.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { limitReached } from '../../store/catalog/row-limit.ts'
import { inTransaction } from '../../store/catalog/transaction.ts'
import { loadUses, requireFollowedWithinLimit, type StoredUse } from './insight-uses.ts'
import { insertVersion, readVersion } from './insight-versions.ts'
import {
  type Authorship,
  decodeInsight,
  encodeContent,
  type InsightKey,
  parseInsightId,
  type SavedInsight,
  savedInsightNotFound,
} from './saved-insight.ts'

/** Bounds the work of a list, which reads the names of all insights of the project. */
const INSIGHTS_PER_PROJECT_MAX = 1000

/** Maximum bytes of all versions of a project. */
const BYTES_PER_PROJECT_MAX = 16 * 1024 * 1024

/** One insight. Throws `not_found`. */
export async function readInsight(catalog: Catalog, { projectId, id }: InsightKey): Promise<SavedInsight> {
  const row = await catalog
    .selectFrom('saved_insights')
    .selectAll()
    .where('id', '=', parseInsightId(id))
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  if (!row) throw savedInsightNotFound()
  return decodeInsight(row)
}

/** Saves an insight. Throws `failed_precondition` at a limit of the project. */
export async function createInsight(
  catalog: Catalog,
  projectId: ProjectId,
  { content, account, nowMs }: Authorship & { readonly content: InsightContent },
): Promise<SavedInsight> {
  const row = {
    id: randomUUID(),
    project_id: projectId,
    ...encodeContent(content),
    version: 1,
    created_by: account,
    updated_by: account,
    created_ms: nowMs,
    updated_ms: nowMs,
  }
  return await inTransaction(catalog, async (transaction) => {
    await transaction.insertInto('saved_insights').values(row).execute()
    await insertVersion(transaction, row)
    await requireWithinLimits(transaction, projectId)
    return decodeInsight(row)
  })
}

/** Saves another content as a new version, unless it is the same. Throws `not_found`, and `failed_precondition` at a limit. */
export async function replaceInsight(
  catalog: Catalog,
  key: InsightKey,
  { content, account, nowMs }: Authorship & { readonly content: InsightContent },
): Promise<SavedInsight> {
  const columns = encodeContent(content)
  return await inTransaction(catalog, async (transaction) => {
    const before = await readInsight(transaction, key)
    if (encodeContent(before.content).content === columns.content) return before
    const row = await transaction
      .updateTable('saved_insights')
      .set({ ...columns, version: before.version + 1, updated_by: account, updated_ms: nowMs })
      .where('id', '=', before.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    await insertVersion(transaction, row)
    await requireWithinLimits(transaction, key.projectId)
    await requireFollowedWithinLimit(transaction, key.projectId)
    return decodeInsight(row)
  })
}

/** Saves the content of an earlier version as a new one. Throws `not_found`, and `failed_precondition` at a limit. */
export async function restoreInsight(
  catalog: Catalog,
  key: InsightKey,
  { version, ...authorship }: Authorship & { readonly version: number },
): Promise<SavedInsight> {
  return await inTransaction(catalog, async (transaction) => {
    const { id } = await readInsight(transaction, key)
    const content = await readVersion(transaction, { id, version })
    return await replaceInsight(transaction, key, { content, ...authorship })
  })
}

/** Saves a copy under another name. Throws `not_found`, and `failed_precondition` at a limit. */
export async function duplicateInsight(
  catalog: Catalog,
  key: InsightKey,
  { name, ...authorship }: Authorship & { readonly name: string },
): Promise<SavedInsight> {
  return await inTransaction(catalog, async (transaction) => {
    const { content } = await readInsight(transaction, key)
    const copy = { ...clone(InsightContentSchema, content), name }
    return await createInsight(transaction, key.projectId, { content: copy, ...authorship })
  })
}

/** Deletes an insight with its versions. Throws `not_found`, or `failed_precondition` while a tile or an alert follows it. */
export async function deleteInsight(catalog: Catalog, key: InsightKey): Promise<void> {
  await inTransaction(catalog, async (transaction) => {
    const { id } = await readInsight(transaction, key)
    const uses = (await loadUses(transaction, [id])).get(id) ?? []
    if (uses.length > 0) throw inUse(uses)
    await transaction.deleteFrom('saved_insights').where('id', '=', id).execute()
  })
}

/** Adds an insight to the favorites of an account, or removes it from them. Throws `not_found`. */
export async function setFavorite(
  catalog: Catalog,
  key: InsightKey,
  { account, isFavorite }: { readonly account: string; readonly isFavorite: boolean },
): Promise<SavedInsight> {
  return await inTransaction(catalog, async (transaction) => {
    const insight = await readInsight(transaction, key)
    if (isFavorite) {
      await transaction
        .insertInto('saved_insight_favorites')
        .values({ insight_id: insight.id, account })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    } else {
      await transaction
        .deleteFrom('saved_insight_favorites')
        .where('insight_id', '=', insight.id)
        .where('account', '=', account)
        .execute()
    }
    return insight
  })
}

/** The favorites of an account in a project. */
export async function loadFavorites(
  catalog: Catalog,
  { projectId, account }: { readonly projectId: ProjectId; readonly account: string },
): Promise<ReadonlySet<string>> {
  const rows = await catalog
    .selectFrom('saved_insight_favorites')
    .innerJoin('saved_insights', 'saved_insights.id', 'saved_insight_favorites.insight_id')
    .select('saved_insight_favorites.insight_id as id')
    .where('saved_insights.project_id', '=', projectId)
    .where('saved_insight_favorites.account', '=', account)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Runs after the write in the same transaction, so that exceeding a limit rolls it back. */
async function requireWithinLimits(transaction: Catalog, projectId: ProjectId): Promise<void> {
  const { count } = await transaction
    .selectFrom('saved_insights')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow()
  if (count > INSIGHTS_PER_PROJECT_MAX) throw limitReached(`${INSIGHTS_PER_PROJECT_MAX} saved insights`)
  const { bytes } = await transaction
    .selectFrom('saved_insight_versions')
    .select(({ fn }) => fn.sum<number | string>('content_bytes').as('bytes'))
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow()
  if (Number(bytes) > BYTES_PER_PROJECT_MAX) {
    throw limitReached(`${BYTES_PER_PROJECT_MAX / 1024 / 1024} MiB of saved insights with their versions`)
  }
}

const USES_NAMED_MAX = 10

function inUse(uses: readonly StoredUse[]): ServiceError {
  const named = uses.slice(0, USES_NAMED_MAX).map(describeUse)
  const others = uses.length - named.length
  const places = [...named, ...(others > 0 ? [`${others} more`] : [])].join(', ')
  return new ServiceError({
    code: 'failed_precondition',
    reason: 'SAVED_INSIGHT_IN_USE',
    message: `${places} ${uses.length === 1 ? 'follows' : 'follow'} the saved insight; change or delete that first`,
  })
}

function describeUse(use: StoredUse): string {
  return 'alertId' in use ? `the alert "${use.alertName}"` : `the dashboard "${use.dashboardName}"`
}
