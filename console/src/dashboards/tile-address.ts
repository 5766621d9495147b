import type { DashboardTile } from '@contract/dashboard/dashboards/v1/dashboard_pb.js'
import type { Granularity } from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import { granularityName, writePeriod } from '../insights/period.ts'
import { writeTile } from '../insights/query-address.ts'
import type { BoardRange } from './board-range.ts'
import { writeTileQuery } from './tile-view.ts'

/** The address of the insight of a tile, in the days and buckets of the dashboard; to `edit`, the builder saves to the tile. */
export function insightAddress(
  tile: DashboardTile,
  at: {
    readonly projectId: string
    readonly dashboardId: string
    readonly board: BoardRange
    readonly granularity: Granularity
    readonly use: 'open' | 'edit'
  },
): string {
  const parameters = new URLSearchParams({
    ...writeTileQuery(tile),
    range: writePeriod(at.board.days),
    granularity: granularityName(at.granularity),
    ...(at.use === 'edit' && writeTile({ dashboardId: at.dashboardId, tileId: tile.id })),
  })
  return `/p/${at.projectId}/insights?${parameters}`
}
