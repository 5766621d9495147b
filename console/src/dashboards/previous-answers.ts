import type { RenderedDashboard } from '@contract/dashboard/dashboards/v1/rendered_dashboard_pb.js'
import { ComparePeriod } from '@contract/dashboard/dashboards/v1/tile_options_pb.js'
import { presetName, previousPeriod, type RangeMs, type RangePresetName } from '@domain/time-ranges.ts'
import type { PreviousAnswers } from './tile-grid.tsx'

/** The period that a dashboard opens with. */
export function defaultPeriod({ defaultTimeRange }: RenderedDashboard): RangePresetName {
  return presetName(defaultTimeRange)
}

/**
 * The answers for the previous period of the tiles that compare; without such tiles there is no query. A tile whose previous
 * answer failed is shown without it.
 */
export async function queryPrevious(
  dashboard: RenderedDashboard,
  range: RangeMs,
  query: (range: RangeMs) => Promise<RenderedDashboard | undefined>,
): Promise<PreviousAnswers> {
  const isCompared = dashboard.tiles.some(({ tile }) => tile?.compare === ComparePeriod.PRIOR)
  const previous = isCompared ? await query(previousPeriod(range)) : undefined
  const answers = (previous?.tiles ?? []).flatMap(({ tile, outcome }) =>
    tile?.compare === ComparePeriod.PRIOR && outcome.case === 'result'
      ? [[tile.id, outcome.value] as const]
      : [],
  )
  return new Map(answers)
}
