import { fromJson, toJsonString } from '@bufbuild/protobuf'
import type { Selectable } from 'kysely'
import {
  type DashboardTile,
  DashboardTileSchema,
} from '../../contract/gen/dashboard/dashboards/v1/dashboard_pb.js'
import { asProjectId } from '../../contract/ids.ts'
import type { DashboardTable } from '../../store/catalog/schema/dashboard-tables.ts'
import type { Dashboard, DashboardSettings, DashboardSharing } from './dashboard.ts'

/** Decodes a row. */
export function decodeDashboard(row: Selectable<DashboardTable>): Dashboard {
  return {
    id: row.id,
    projectId: asProjectId(row.project_id),
    displayName: row.display_name,
    description: row.description,
    defaultTimeRange: row.default_time_range,
    defaultGranularity: row.default_granularity,
    shareId: row.share_id ?? '',
    isRangePinned: row.range_pinned === 1,
    shareExpiresMs: row.share_expires_ms,
    sharePasswordHash: row.share_password_hash,
    isEmbeddable: row.embeddable === 1,
    tiles: decodeTiles(row),
    createdMs: row.created_ms,
    updatedMs: row.updated_ms,
  }
}

/** Encodes settings as columns. */
export function encodeSettings(settings: DashboardSettings) {
  return {
    display_name: settings.displayName,
    description: settings.description,
    default_time_range: settings.defaultTimeRange,
    default_granularity: settings.defaultGranularity,
  } satisfies Partial<DashboardTable>
}

/** Encodes the sharing as columns. */
export function encodeSharing(sharing: DashboardSharing) {
  return {
    share_id: sharing.shareId || null,
    range_pinned: sharing.isRangePinned ? 1 : 0,
    share_expires_ms: sharing.shareExpiresMs,
    share_password_hash: sharing.sharePasswordHash,
    embeddable: sharing.isEmbeddable ? 1 : 0,
  } satisfies Partial<DashboardTable>
}

/** Encodes tiles as columns. */
export function encodeTiles(tiles: readonly DashboardTile[]) {
  const text = `[${tiles.map(encodeTile).join()}]`
  return { tiles: text, tiles_bytes: Buffer.byteLength(text) } satisfies Partial<DashboardTable>
}

/** Encodes a tile; equal tiles have equal texts. */
export function encodeTile(tile: DashboardTile): string {
  return toJsonString(DashboardTileSchema, tile)
}

/** Ignores fields that a later release may have stored. */
function decodeTiles({ tiles }: Pick<DashboardTable, 'tiles'>): DashboardTile[] {
  const list: Parameters<typeof fromJson>[1] = JSON.parse(tiles)
  if (!Array.isArray(list)) throw new Error('the tiles of a dashboard are not a list')
  return list.map((tile) => fromJson(DashboardTileSchema, tile, { ignoreUnknownFields: true }))
}
