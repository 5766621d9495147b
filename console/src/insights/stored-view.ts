import { DashboardTileViewMode } from '@contract/dashboard/dashboards/v1/tile_options_pb.js'
import type { View } from '../charts/chart.ts'
import type { Views } from './model/views.ts'

const MODES = {
  line: DashboardTileViewMode.LINE,
  area: DashboardTileViewMode.AREA,
  bars: DashboardTileViewMode.BAR_STACKED,
  grouped: DashboardTileViewMode.BAR_GROUPED,
  kpi: DashboardTileViewMode.KPI,
  table: DashboardTileViewMode.TABLE,
  chart: DashboardTileViewMode.UNSPECIFIED,
  pie: DashboardTileViewMode.PIE,
} as const satisfies Record<View, DashboardTileViewMode>

/** The stored mode of a view. */
export function modeOf(view: View): DashboardTileViewMode {
  return MODES[view]
}

/** The view of a stored mode, if it is one of the views; otherwise the default. */
export function viewOfMode(views: Views, mode: DashboardTileViewMode): View {
  return views.find((view) => MODES[view] === mode) ?? views[0]
}
