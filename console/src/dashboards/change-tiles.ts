import type { Dashboard, DashboardTileInput } from '@contract/dashboard/dashboards/v1/dashboard_pb.js'
import { DashboardsService } from '@contract/dashboard/dashboards/v1/dashboards_service_pb.js'
import { t } from '../i18n/translate.ts'
import { clientOf } from '../rpc/client.ts'
import { Failure } from '../rpc/failure.ts'
import { queryClient } from '../rpc/query-client.ts'
import { findRoom, type Place, type PlacedTile, placeTiles } from './grid-layout.ts'
import { defaultSize, toInput } from './tile-view.ts'

const dashboardsClient = clientOf(DashboardsService)

/** The most tiles of a dashboard. */
export const TILES_MAX = 100

/** The key of a dashboard among the answers that pages share. */
export function dashboardKey(projectId: string, id: string): readonly string[] {
  return ['dashboard', projectId, id]
}

/** Makes every page show a dashboard as it was just stored. */
export function keepDashboard(dashboard: Dashboard): void {
  queryClient.setQueryData(dashboardKey(dashboard.projectId, dashboard.id), dashboard)
}

/** Changes the current tiles of a dashboard, including concurrent changes. Throws the errors of the calls. */
export async function changeTiles(
  dashboardId: string,
  change: (tiles: readonly DashboardTileInput[]) => readonly DashboardTileInput[],
): Promise<Dashboard> {
  const { dashboard } = await dashboardsClient.get({ id: dashboardId })
  if (!dashboard) throw new Failure({ code: 'not_found', message: t('dashboards.gone') })
  const { id, displayName, description, defaultTimeRange, defaultGranularity, tiles } = dashboard
  const kept = { id, displayName, description, defaultTimeRange, defaultGranularity }
  const answer = await dashboardsClient.upsert({ ...kept, tiles: [...change(tiles.map(toInput))] })
  const changed = answer.dashboard ?? dashboard
  keepDashboard(changed)
  return changed
}

/** Adds a tile to a dashboard where there is room. Throws the errors of the calls. */
export async function addTile(dashboardId: string, tile: DashboardTileInput): Promise<void> {
  await changeTiles(dashboardId, (tiles) => withTile(tiles, tile))
}

/** The tiles with one more, at the first place that has room for it. */
export function withTile(
  tiles: readonly DashboardTileInput[],
  tile: DashboardTileInput,
): readonly DashboardTileInput[] {
  const size = tile.position && tile.position.w > 0 ? tile.position : defaultSize(tile)
  const placed = placeTiles(
    tiles.map((one, index) => ({ id: String(index), position: one.position, defaultSize: defaultSize(one) })),
  )
  return [...tiles, atPlace(tile, findRoom(placed, size))]
}

/** A tile at another place. */
function atPlace(tile: DashboardTileInput, { x, y, w, h }: Place): DashboardTileInput {
  return { ...tile, position: { $typeName: 'dashboard.dashboards.v1.GridPosition', x, y, w, h } }
}

/** Tiles at their new positions; a tile that someone else added keeps its own. */
export function putTiles(
  tiles: readonly DashboardTileInput[],
  places: readonly PlacedTile[],
): DashboardTileInput[] {
  const placeOf = new Map(places.map((place) => [place.id, place]))
  return tiles.map((tile) => {
    const place = placeOf.get(tile.id)
    return place ? atPlace(tile, place) : tile
  })
}
