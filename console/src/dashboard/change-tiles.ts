import { fromJson, toJson } from '@bufbuild/protobuf'
import {
  type DashboardTile,
  type DashboardTileInput,
  DashboardTileInputSchema,
  DashboardTileSchema,
} from '@contract/dashboard/dashboards/v1/dashboard_pb.js'
import { DashboardsService } from '@contract/dashboard/dashboards/v1/dashboards_service_pb.js'
import { clientOf } from '../rpc/client.ts'
import type { PlacedTile } from './grid-layout.ts'

/** A stored tile as it is stored again: the fields that both have are named alike. */
export function toInput(tile: DashboardTile): DashboardTileInput {
  return fromJson(DashboardTileInputSchema, toJson(DashboardTileSchema, tile), { ignoreUnknownFields: true })
}

/** Changes the tiles of a dashboard as they are now, whoever else changed them meanwhile. Throws what the calls throw. */
export async function changeTiles(
  dashboardId: string,
  change: (tiles: readonly DashboardTileInput[]) => readonly DashboardTileInput[],
): Promise<void> {
  const { dashboard } = await clientOf(DashboardsService).get({ id: dashboardId })
  if (!dashboard) return
  const { id, displayName, description, defaultTimeRange, defaultGranularity, tiles } = dashboard
  const kept = { id, displayName, description, defaultTimeRange, defaultGranularity }
  await clientOf(DashboardsService).upsert({ ...kept, tiles: [...change(tiles.map(toInput))] })
}

/** Adds a tile below those of a dashboard. Throws what the calls throw. */
export async function addTile(dashboardId: string, tile: DashboardTileInput): Promise<void> {
  await changeTiles(dashboardId, (tiles) => [...tiles, tile])
}

/** Tiles where they were put; one that somebody else added meanwhile keeps its place. */
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
