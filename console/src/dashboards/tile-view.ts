import { create, fromJson, toJson } from '@bufbuild/protobuf'
import {
  type DashboardTile,
  type DashboardTileInput,
  DashboardTileInputSchema,
  DashboardTileSchema,
  InsightTileContentSchema,
} from '@contract/dashboard/dashboards/v1/dashboard_pb.js'
import { ComparePeriod, DashboardTileViewMode } from '@contract/dashboard/dashboards/v1/tile_options_pb.js'
import { Granularity, type InsightQuerySpec } from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import type { View } from '../charts/chart.ts'
import type { Result, TileSize } from '../insights/model/insight-type.ts'
import { chooseView, type Views } from '../insights/model/views.ts'
import { GRANULARITY_NUMBERS } from '../insights/period.ts'
import type { InsightQuery } from '../insights/query-address.ts'
import { decodeSpec, parseSpec, viewsOf } from '../insights/spec.ts'
import { modeOf, viewOfMode } from '../insights/stored-view.ts'
import { entryOfAnswer, INSIGHT_TYPES, typeOfSpec } from '../insights/types/insight-types.ts'

/** The size of text tiles and single numbers. */
const SMALL: TileSize = { w: 3, h: 4 }

/** The parts of a tile that hold its query, or its text. */
type TileContent = Pick<DashboardTile, 'content'>

/** The spec of a tile; `undefined` for a text. */
export function specOfTile({ content }: Pick<DashboardTileInput, 'content'>): InsightQuerySpec | undefined {
  return content.case === 'insight' ? content.value.spec : undefined
}

/** The views of a tile; a text has one. */
export function viewsOfTile(tile: Pick<DashboardTileInput, 'content'>): Views {
  const spec = specOfTile(tile)
  return spec ? viewsOf(decodeSpec(spec)) : ['chart']
}

/** The view of a stored tile, by its query. */
export function viewOfStored(tile: Pick<DashboardTileInput, 'content' | 'viewMode'>): View {
  return viewOfMode(viewsOfTile(tile), tile.viewMode)
}

/** The view of an answered tile. */
export function viewOfAnswer(
  result: Result,
  { mode, spec }: { readonly mode: DashboardTileViewMode; readonly spec: InsightQuerySpec | undefined },
): View {
  const entry = entryOfAnswer(result, spec)
  if (!entry) return 'table'
  const draft = spec && decodeSpec(spec)
  return draft ? viewOfMode(entry.views(draft, result), mode) : chooseView(['table'], null)
}

/** The size of a tile that has none: that of its insight type. */
export function defaultSize(tile: TileContent & Pick<DashboardTile, 'viewMode'>): TileSize {
  const spec = specOfTile(tile)
  if (!spec || tile.viewMode === DashboardTileViewMode.KPI) return SMALL
  return INSIGHT_TYPES[typeOfSpec(spec)].defaultSize
}

/** The bucket width of a tile; unspecified where it has none of its own. */
export function granularityOfTile({ content }: TileContent): Granularity {
  return content.case === 'insight' ? content.value.granularity : Granularity.UNSPECIFIED
}

/** A query to store in a tile, with its view and its buckets. */
export interface SavedInsight extends Pick<InsightQuery, 'spec' | 'compare' | 'granularity'> {
  readonly view: View
  /** The saved insight that the tile follows. */
  readonly savedInsightId?: string | undefined
}

/** The fields of a tile that hold an insight. */
export function tileFieldsOf({
  spec,
  view,
  compare,
  granularity,
  savedInsightId = '',
}: SavedInsight): Pick<DashboardTileInput, 'content' | 'viewMode' | 'compare'> {
  return {
    content: {
      case: 'insight',
      value: create(InsightTileContentSchema, {
        spec: parseSpec(spec),
        granularity: GRANULARITY_NUMBERS[granularity],
        savedInsightId,
      }),
    },
    viewMode: modeOf(view),
    compare: compare === 'previous' ? ComparePeriod.PRIOR : ComparePeriod.UNSPECIFIED,
  }
}

/** The input that stores a tile again: the fields of both messages have the same names. */
export function toInput(tile: DashboardTile): DashboardTileInput {
  return fromJson(DashboardTileInputSchema, toJson(DashboardTileSchema, tile), { ignoreUnknownFields: true })
}
