import type { RenderedDashboard } from '@contract/dashboard/dashboards/v1/rendered_dashboard_pb.js'
import { ComparePeriod } from '@contract/dashboard/dashboards/v1/tile_options_pb.js'
import { presetName, previousPeriod, type RangeMs, type RangePresetName } from '@domain/time-ranges.ts'
import type { AnswersBefore } from './tile-grid.tsx'

/** What a dashboard shows when nothing else is asked for. */
export function defaultPeriod({ defaultTimeRange }: RenderedDashboard): RangePresetName {
  return presetName(defaultTimeRange)
}

/**
 * Answers for the time before, for the tiles that compare with it; nothing is asked when none does. A tile without an answer
 * for the time before is shown without.
 */
export async function askBefore(
  dashboard: RenderedDashboard,
  range: RangeMs,
  query: (range: RangeMs) => Promise<RenderedDashboard | undefined>,
): Promise<AnswersBefore> {
  const isCompared = dashboard.tiles.some(({ tile }) => tile?.compare === ComparePeriod.PRIOR)
  const before = isCompared ? await query(previousPeriod(range)) : undefined
  const answers = (before?.tiles ?? []).flatMap(({ tile, outcome }) =>
    tile?.compare === ComparePeriod.PRIOR && outcome.case === 'result'
      ? [[tile.id, outcome.value] as const]
      : [],
  )
  return new Map(answers)
}
