import type { DashboardTile } from '@contract/dashboard/dashboards/v1/dashboard_pb.js'
import { DashboardTileViewMode } from '@contract/dashboard/dashboards/v1/tile_options_pb.js'
import { InsightType } from '@contract/shared/insights/v1/insight_query_spec_pb.js'

interface Size {
  readonly w: number
  readonly h: number
}

const SMALL: Size = { w: 4, h: 2 }
const MIDDLE: Size = { w: 6, h: 4 }
const LARGE: Size = { w: 6, h: 5 }

const SIZES = {
  [InsightType.UNSPECIFIED]: MIDDLE,
  [InsightType.TRENDS]: MIDDLE,
  [InsightType.SEGMENTATION]: SMALL,
  [InsightType.FUNNEL]: MIDDLE,
  [InsightType.RETENTION]: MIDDLE,
  [InsightType.USER_FLOW]: LARGE,
  [InsightType.TOP_K]: MIDDLE,
  [InsightType.MAP]: LARGE,
} as const satisfies Record<InsightType, Size>

/** How large a tile is that nobody resized: as what it shows needs. */
export function usualSize({ content, viewMode }: Pick<DashboardTile, 'content' | 'viewMode'>): Size {
  if (content.case !== 'insight') return SMALL
  if (viewMode === DashboardTileViewMode.KPI) return SMALL
  return SIZES[content.value.spec?.insightType ?? InsightType.UNSPECIFIED]
}
