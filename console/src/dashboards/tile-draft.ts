import { create } from '@bufbuild/protobuf'
import {
  type DashboardTile,
  type DashboardTileInput,
  DashboardTileInputSchema,
  MarkdownTileContentSchema,
} from '@contract/dashboard/dashboards/v1/dashboard_pb.js'
import {
  ComparePeriod,
  VisualizationOptions_LegendPosition as LegendPosition,
  ThresholdRule_Operator as Operator,
  ThresholdRuleSchema,
  TileHeaderSchema,
  ThresholdRule_Tone as Tone,
  VisualizationOptions_YAxisFormat as ValueFormat,
  VisualizationOptionsSchema,
} from '@contract/dashboard/dashboards/v1/tile_options_pb.js'
import type { Granularity } from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import type { View } from '../charts/chart.ts'
import type { InsightType } from '../insights/model/draft.ts'
import { modeOf } from '../insights/stored-view.ts'
import { typeOfSpec } from '../insights/types/insight-types.ts'
import { granularityOfTile, specOfTile, toInput, viewOfStored } from './tile-view.ts'

/** A threshold rule that is being edited. */
export interface RuleDraft {
  operator: Operator
  /** As typed. */
  value: string
  tone: Tone
}

/** A tile that is being edited. */
export interface TileDraft {
  title: string
  description: string
  /** The body of a text tile. */
  body: string
  view: View
  /** Unspecified: that of the dashboard. */
  granularity: Granularity
  isCompared: boolean
  rules: RuleDraft[]
  format: ValueFormat
  isLogarithmic: boolean
  hidesLegend: boolean
  legend: LegendPosition
  hidesSparkline: boolean
  hidesPieLabels: boolean
  hidesTitle: boolean
  isBorderless: boolean
}

/** The type of the insight of a tile; `undefined` for a text. */
export function typeOfTile(tile: Pick<DashboardTile, 'content'>): InsightType | undefined {
  const spec = specOfTile(tile)
  return spec && typeOfSpec(spec)
}

/** The draft of a stored tile. */
export function draftOfTile(tile: DashboardTile): TileDraft {
  const { content, thresholds, visualization, header } = tile
  return {
    title: tile.displayName,
    description: tile.description,
    body: content.case === 'markdown' ? content.value.body : '',
    view: viewOfStored(tile),
    granularity: granularityOfTile(tile),
    isCompared: tile.compare === ComparePeriod.PRIOR,
    rules: thresholds.map(({ operator, value, tone }) => ({
      operator,
      value: String(value),
      tone: tone || Tone.NEUTRAL,
    })),
    format: visualization?.yAxisFormat ?? ValueFormat.UNSPECIFIED,
    isLogarithmic: visualization?.logScale ?? false,
    hidesLegend: visualization?.hideLegend ?? false,
    legend: visualization?.legendPosition || LegendPosition.BOTTOM,
    hidesSparkline: visualization?.hideSparkline ?? false,
    hidesPieLabels: visualization?.hidePieLabels ?? false,
    hidesTitle: header?.hideTitle ?? false,
    isBorderless: header?.borderless ?? false,
  }
}

/** The rule that the editor adds first. */
export function newRule(): RuleDraft {
  return { operator: Operator.GTE, value: '0', tone: Tone.GOOD }
}

/** A tile with the changes of its draft; fields that the editor does not show stay. */
export function applyDraft(tile: DashboardTile, draft: TileDraft): DashboardTileInput {
  const input = toInput(tile)
  const { content } = input
  return create(DashboardTileInputSchema, {
    ...input,
    displayName: draft.title,
    description: draft.description,
    content: changeContent(content, draft),
    // A mode that the console does not offer stays until another view is chosen.
    ...(draft.view !== draftOfTile(tile).view && { viewMode: modeOf(draft.view) }),
    compare: draft.isCompared ? ComparePeriod.PRIOR : ComparePeriod.UNSPECIFIED,
    thresholds: draft.rules.map(({ operator, value, tone }) =>
      create(ThresholdRuleSchema, { operator, value: Number(value), tone }),
    ),
    header: {
      ...(input.header ?? create(TileHeaderSchema)),
      hideTitle: draft.hidesTitle,
      borderless: draft.isBorderless,
    },
    visualization: {
      ...(input.visualization ?? create(VisualizationOptionsSchema)),
      yAxisFormat: draft.format,
      logScale: draft.isLogarithmic,
      hideLegend: draft.hidesLegend,
      legendPosition: draft.legend,
      hideSparkline: draft.hidesSparkline,
      hidePieLabels: draft.hidesPieLabels,
    },
  })
}

function changeContent(
  content: DashboardTileInput['content'],
  { body, granularity }: TileDraft,
): DashboardTileInput['content'] {
  if (content.case === 'markdown') {
    return { case: 'markdown', value: create(MarkdownTileContentSchema, { body }) }
  }
  return content.case === 'insight' ? { case: 'insight', value: { ...content.value, granularity } } : content
}
