import type { DashboardTile } from '@contract/dashboard/dashboards/v1/dashboard_pb.js'
import { ComparePeriod } from '@contract/dashboard/dashboards/v1/tile_options_pb.js'
import type { Granularity } from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import { type DatePeriod, writeDatePeriod } from '@domain/date-periods.ts'
import { granularityName } from '../insights/period.ts'
import { writeStoredQuery, writeTile } from '../insights/query-address.ts'
import { writeSpec } from '../insights/spec.ts'
import type { BoardState } from './board-state.ts'
import { addFilters } from './merge-filters.ts'
import { specOfTile, viewOfStored } from './tile-view.ts'

/** The dashboard that a tile is shown on, and the buckets of the tile. */
export interface TileContext {
  readonly projectId: string
  readonly dashboardId: string
  readonly period: DatePeriod
  readonly state: Pick<BoardState, 'compare' | 'filters'>
  readonly granularity: Granularity
}

/**
 * The address of the insight of a tile, in the period and buckets of the dashboard. To `open`, with the comparison
 * and the filters of the dashboard, so that it has the numbers of the tile; to `edit`, as stored: the builder saves to the tile. Empty for a text.
 */
export function insightAddress(tile: DashboardTile, at: TileContext, use: 'open' | 'edit'): string {
  const { content } = tile
  if (use === 'edit' && content.case === 'insight' && content.value.savedInsightId !== '')
    return `/p/${at.projectId}/insights?saved=${content.value.savedInsightId}`
  const spec = specOfTile(tile)
  if (!spec) return ''
  const { compare, filters } = at.state
  const stored = tile.compare === ComparePeriod.PRIOR ? 'previous' : 'none'
  const isOpened = use === 'open'
  const parameters = new URLSearchParams({
    ...writeStoredQuery({
      spec: writeSpec(isOpened ? addFilters(spec, filters) : spec),
      view: viewOfStored(tile),
      compare: isOpened && compare !== 'tile' ? compare : stored,
    }),
    range: writeDatePeriod(at.period),
    granularity: granularityName(at.granularity),
    ...(!isOpened && writeTile({ dashboardId: at.dashboardId, tileId: tile.id })),
  })
  return `/p/${at.projectId}/insights?${parameters}`
}
