import type { DashboardTileInput } from '@contract/dashboard/dashboards/v1/dashboard_pb.js'
import { DashboardsService } from '@contract/dashboard/dashboards/v1/dashboards_service_pb.js'
import { clientOf } from '../rpc/client.ts'
import type { PlacedTile } from './grid-layout.ts'
import { toInput } from './tile-view.ts'

const dashboardsClient = clientOf(DashboardsService)

/** Changes the current tiles of a dashboard, including concurrent changes. Throws the errors of the calls. */
export async function changeTiles(
  dashboardId: string,
  change: (tiles: readonly DashboardTileInput[]) => readonly DashboardTileInput[],
): Promise<void> {
  const { dashboard } = await dashboardsClient.get({ id: dashboardId })
  if (!dashboard) return
  const { id, displayName, description, defaultTimeRange, defaultGranularity, tiles } = dashboard
  const kept = { id, displayName, description, defaultTimeRange, defaultGranularity }
  await dashboardsClient.upsert({ ...kept, tiles: [...change(tiles.map(toInput))] })
}

/** Adds a tile below those of a dashboard. Throws the errors of the calls. */
export async function addTile(dashboardId: string, tile: DashboardTileInput): Promise<void> {
  await changeTiles(dashboardId, (tiles) => [...tiles, tile])
}

/** Tiles at their new positions; a tile that someone else added keeps its own. */
export function putTiles(
  tiles: readonly DashboardTileInput[],
  places: readonly PlacedTile[],
): DashboardTileInput[] {
  const placeOf = new Map(places.map(({ id, x, y, w, h }) => [id, { x, y, w, h }]))
  return tiles.map((tile) => {
    const place = placeOf.get(tile.id)
    if (!place) return tile
    return { ...tile, position: { $typeName: 'dashboard.dashboards.v1.GridPosition', ...place } }
  })
}
