import type { DashboardTile } from '@contract/dashboard/dashboards/v1/dashboard_pb.js'
import { DashboardTileViewMode } from '@contract/dashboard/dashboards/v1/tile_options_pb.js'
import {
  type InsightQuerySpec,
  InsightType as InsightTypeEnum,
} from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import type { QueryResponse } from '@contract/shared/insights/v1/insights_service_pb.js'
import type { TrendsResult } from '@contract/shared/insights/v1/query_result_pb.js'
import type { InsightType } from './draft.ts'
import { addsUp, areParts } from './parts.ts'
import { draftOf } from './spec-json.ts'
import {
  chooseView,
  RANKED_VIEWS_OF_PARTS,
  VIEWS,
  VIEWS_OF_PARTS,
  type View,
  type Views,
  viewsOf,
} from './view.ts'

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

const VIEW_OF_MODE: Readonly<Partial<Record<DashboardTileViewMode, View>>> = {
  [DashboardTileViewMode.LINE]: 'line',
  [DashboardTileViewMode.AREA]: 'area',
  [DashboardTileViewMode.BAR_GROUPED]: 'grouped',
  [DashboardTileViewMode.BAR_STACKED]: 'bars',
  [DashboardTileViewMode.TABLE]: 'table',
  [DashboardTileViewMode.KPI]: 'kpi',
  [DashboardTileViewMode.PIE]: 'pie',
}

const TYPE_OF_RESULT = {
  trends: 'INSIGHT_TYPE_TRENDS',
  segmentation: 'INSIGHT_TYPE_SEGMENTATION',
  funnel: 'INSIGHT_TYPE_FUNNEL',
  retention: 'INSIGHT_TYPE_RETENTION',
  userFlow: 'INSIGHT_TYPE_USER_FLOW',
  topK: 'INSIGHT_TYPE_TOP_K',
} as const satisfies Record<NonNullable<QueryResponse['result']['case']>, InsightType>

/** The mode of a tile that is shown like an answer of the builder. */
export function modeOf(view: View): DashboardTileViewMode {
  return MODES[view]
}

/** The view of a mode, if it is one of the views; else the usual one. */
export function viewOfMode(views: Views, mode: DashboardTileViewMode): View {
  return chooseView(views, VIEW_OF_MODE[mode] ?? null)
}

/** How a tile may be shown; a text is as it is. */
export function viewsOfTile({ content }: Pick<DashboardTile, 'content'>): Views {
  const spec = content.case === 'insight' ? content.value.spec : undefined
  return spec ? viewsOf(draftOf(spec)) : ['chart']
}

/** How a tile is shown, by its question. */
export function viewOfStored(tile: Pick<DashboardTile, 'content' | 'viewMode'>): View {
  return viewOfMode(viewsOfTile(tile), tile.viewMode)
}

/** How the answer of a tile is shown; what its kind of answer does not know is shown in the usual way. */
export function viewOfTile(
  result: QueryResponse['result'],
  { mode, spec }: { readonly mode: DashboardTileViewMode; readonly spec: InsightQuerySpec | undefined },
): View {
  if (result.case === undefined) return 'table'
  return viewOfMode((spec && viewsOfParts(result, spec)) ?? VIEWS[TYPE_OF_RESULT[result.case]], mode)
}

/** The views of an answer that is parts of a whole; `undefined` for others. */
function viewsOfParts(result: QueryResponse['result'], spec: InsightQuerySpec): Views | undefined {
  if (result.case === 'trends' && areShownParts(result.value, spec)) return VIEWS_OF_PARTS
  const isOfParts = result.case === 'topK' && addsUp(draftOf(spec).scope.aggregation)
  return isOfParts ? RANKED_VIEWS_OF_PARTS : undefined
}

/** A public page has the question without the kinds of its events, and an answer with them. */
function areShownParts({ series }: TrendsResult, spec: InsightQuerySpec): boolean {
  const question = draftOf(spec)
  const isPublic = question.events.every(({ kind }) => kind === '')
  return areParts(question, isPublic ? [...new Set(series.map(({ eventKind }) => eventKind))] : undefined)
}

/** True for the type whose values are country codes. */
export function isMapType(type: InsightTypeEnum | undefined): boolean {
  return type === InsightTypeEnum.MAP
}
