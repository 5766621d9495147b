import { randomBytes, randomUUID } from 'node:crypto'
import type { DashboardTileInput } from '../../contract/gen/dashboard/dashboards/v1/dashboard_pb.js'
import { isCanonicalUuid, type ProjectId } from '../../contract/ids.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { limitReached } from '../../store/catalog/row-limit.ts'
import { inTransaction } from '../../store/catalog/transaction.ts'
import {
  type Dashboard,
  type DashboardKey,
  type DashboardSettings,
  type DashboardSharing,
  dashboardNotFound,
  isShareExpired,
  NOT_SHARED,
} from './dashboard.ts'
import { recordFollowed, withCurrentSpecs } from './follow-insights.ts'
import { replaceTiles } from './replace-tiles.ts'
import { decodeDashboard, encodeSettings, encodeSharing, encodeTiles } from './stored-dashboard.ts'

/** Dependencies of stored dashboards. */
export interface DashboardStore {
  readonly catalog: Catalog
  readonly clock: Clock
  /** Called in the transaction that deletes a dashboard. */
  readonly onDelete?: (transaction: Catalog, key: DashboardKey) => Promise<void>
}

/** A change of the sharing of a dashboard by link. */
export type Sharing = 'start' | 'stop' | 'unchanged'

/** A change of a dashboard; absent fields stay unchanged. */
export interface DashboardChange
  extends Partial<DashboardSettings>,
    Partial<Omit<DashboardSharing, 'shareId'>> {
  readonly sharing: Sharing
}

/** The complete content of a dashboard. */
export interface DashboardContent extends DashboardSettings {
  readonly tiles: readonly DashboardTileInput[]
}

/** Bounds lists of dashboards, which include all tiles and have no pages. */
const DASHBOARDS_PER_PROJECT_MAX = 500

/** Maximum bytes of stored tiles per project, and so of a list. */
const TILES_BYTES_PER_PROJECT_MAX = 16 * 1024 * 1024

/** 128 bits. */
const SHARE_ID_BYTES = 16
const SHARE_ID = /^[A-Za-z0-9_-]{22}$/

/** The dashboards of a project, oldest first. */
export async function listDashboards(
  { catalog }: DashboardStore,
  projectId: ProjectId,
): Promise<Dashboard[]> {
  const rows = await catalog
    .selectFrom('dashboards')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('created_ms')
    .orderBy('id')
    .execute()
  return await withCurrentSpecs(catalog, rows.map(decodeDashboard))
}

/** One dashboard. Throws `not_found`. */
export async function readDashboard(
  { catalog }: Pick<DashboardStore, 'catalog'>,
  key: DashboardKey,
): Promise<Dashboard> {
  return await showDashboard(catalog, await findDashboard(catalog, key))
}

async function showDashboard(catalog: Catalog, dashboard: Dashboard): Promise<Dashboard> {
  const [shown = dashboard] = await withCurrentSpecs(catalog, [dashboard])
  return shown
}

/** A dashboard as stored: tiles that follow a saved insight have no query. */
async function findDashboard(catalog: Catalog, { projectId, id }: DashboardKey): Promise<Dashboard> {
  const row = await catalog
    .selectFrom('dashboards')
    .selectAll()
    .where('id', '=', parseDashboardId(id))
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  if (!row) throw dashboardNotFound()
  return decodeDashboard(row)
}

/** The dashboard with a share id that has not expired. Throws `not_found`. */
export async function readSharedDashboard(
  { catalog, clock }: DashboardStore,
  shareId: string,
): Promise<Dashboard> {
  if (!SHARE_ID.test(shareId)) throw dashboardNotFound()
  const row = await catalog
    .selectFrom('dashboards')
    .selectAll()
    .where('share_id', '=', shareId)
    .executeTakeFirst()
  const dashboard = row && decodeDashboard(row)
  if (!dashboard || isShareExpired(dashboard, clock.nowMs())) throw dashboardNotFound()
  return await showDashboard(catalog, dashboard)
}

/** Whether pages of other sites may show the dashboard with a share id in a frame. */
export async function isShareEmbeddable(
  { catalog, clock }: DashboardStore,
  shareId: string,
): Promise<boolean> {
  if (!SHARE_ID.test(shareId)) return false
  const row = await catalog
    .selectFrom('dashboards')
    .select(['embeddable', 'share_expires_ms'])
    .where('share_id', '=', shareId)
    .executeTakeFirst()
  return row?.embeddable === 1 && !isShareExpired({ shareExpiresMs: row.share_expires_ms }, clock.nowMs())
}

/** Creates a dashboard. Throws `failed_precondition` at the project's limit. */
export async function createDashboard(
  { catalog, clock }: DashboardStore,
  projectId: ProjectId,
  { tiles, ...settings }: DashboardContent,
): Promise<Dashboard> {
  const id = randomUUID()
  const nowMs = clock.nowMs()
  const row = {
    id,
    project_id: projectId,
    ...encodeSettings(settings),
    ...encodeSharing(NOT_SHARED),
    ...encodeTiles(replaceTiles({ dashboardId: id, before: [], inputs: tiles, nowMs })),
    created_ms: nowMs,
    updated_ms: nowMs,
  }
  return await inTransaction(catalog, async (transaction) => {
    await transaction.insertInto('dashboards').values(row).execute()
    await requireWithinLimits(transaction, projectId)
    const dashboard = decodeDashboard(row)
    await recordFollowed(transaction, dashboard)
    return await showDashboard(transaction, dashboard)
  })
}

/** Replaces the content of a dashboard; its sharing stays unchanged. Throws `not_found`, and `invalid_argument` for unknown tile ids. */
export async function replaceDashboard(
  { catalog, clock }: DashboardStore,
  key: DashboardKey,
  { tiles, ...settings }: DashboardContent,
): Promise<Dashboard> {
  return await inTransaction(catalog, async (transaction) => {
    const before = await findDashboard(transaction, key)
    const nowMs = clock.nowMs()
    const after = replaceTiles({ dashboardId: before.id, before: before.tiles, inputs: tiles, nowMs })
    const written = await writeDashboard(transaction, {
      ...before,
      ...settings,
      tiles: after,
      updatedMs: nowMs,
    })
    await requireWithinLimits(transaction, key.projectId)
    await recordFollowed(transaction, written)
    return await showDashboard(transaction, written)
  })
}

/** Changes the settings of a dashboard. Throws `not_found`. */
export async function changeDashboard(
  { catalog, clock }: DashboardStore,
  key: DashboardKey,
  { sharing, ...settings }: DashboardChange,
): Promise<Dashboard> {
  return await inTransaction(catalog, async (transaction) => {
    const before = await findDashboard(transaction, key)
    const shareId = SHARE_IDS[sharing](before.shareId)
    const updatedMs = clock.nowMs()
    // A new link that has expired already would be of no use.
    const isStale = before.shareId === '' && isShareExpired(before, updatedMs)
    const shareExpiresMs = isStale ? 0 : before.shareExpiresMs
    const after = { ...before, shareExpiresMs, ...settings, shareId, updatedMs }
    return await showDashboard(transaction, await writeDashboard(transaction, after))
  })
}

/** Deletes a dashboard with its tiles. Throws `not_found`. */
export async function deleteDashboard(
  { catalog, onDelete }: DashboardStore,
  { projectId, id }: DashboardKey,
): Promise<void> {
  await inTransaction(catalog, async (transaction) => {
    const deleted = await transaction
      .deleteFrom('dashboards')
      .where('id', '=', parseDashboardId(id))
      .where('project_id', '=', projectId)
      .executeTakeFirst()
    if (deleted.numDeletedRows === 0n) throw dashboardNotFound()
    await onDelete?.(transaction, { projectId, id })
  })
}

/** A shared dashboard keeps its share id: saving it again must not break existing links. */
const SHARE_IDS = {
  start: (before) => before || randomBytes(SHARE_ID_BYTES).toString('base64url'),
  stop: () => '',
  unchanged: (before) => before,
} as const satisfies Record<Sharing, (before: string) => string>

async function writeDashboard(transaction: Catalog, dashboard: Dashboard): Promise<Dashboard> {
  await transaction
    .updateTable('dashboards')
    .set({
      ...encodeSettings(dashboard),
      ...encodeTiles(dashboard.tiles),
      ...encodeSharing(dashboard),
      updated_ms: dashboard.updatedMs,
    })
    .where('id', '=', dashboard.id)
    .execute()
  return dashboard
}

/** Runs after the write in the same transaction, so that exceeding a limit rolls it back. */
async function requireWithinLimits(transaction: Catalog, projectId: ProjectId): Promise<void> {
  const { count, bytes } = await transaction
    .selectFrom('dashboards')
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      fn.sum<number | string>('tiles_bytes').as('bytes'),
    ])
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow()
  if (count > DASHBOARDS_PER_PROJECT_MAX) throw limitReached(`${DASHBOARDS_PER_PROJECT_MAX} dashboards`)
  if (Number(bytes) > TILES_BYTES_PER_PROJECT_MAX) {
    throw limitReached(`${TILES_BYTES_PER_PROJECT_MAX / 1024 / 1024} MiB of tiles`)
  }
}

/** Rejects texts that are not ids: PostgreSQL rejects some characters. Throws `not_found`. */
export function parseDashboardId(id: string): string {
  if (!isCanonicalUuid(id)) throw dashboardNotFound()
  return id
}
