import { TimeRangePreset } from '@contract/common/v1/time_range_pb.js'
import type { RenderedDashboard } from '@contract/dashboard/dashboards/v1/rendered_dashboard_pb.js'
import { ComparePeriod } from '@contract/dashboard/dashboards/v1/tile_options_pb.js'
import type { RangeMs } from '../insight/days.ts'
import { RANGES, type RangeName, rangeBefore } from '../insight/range.ts'
import type { AnswersBefore } from './tile-grid.tsx'

/** What a dashboard shows when nothing else is asked for. */
export function usualPeriod({ defaultTimeRange }: RenderedDashboard): RangeName {
  const name = TimeRangePreset[defaultTimeRange]
  return name !== undefined && Object.hasOwn(RANGES, name) ? (name as RangeName) : 'LAST_30_DAYS'
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
  const before = isCompared ? await query(rangeBefore(range)) : undefined
  const answers = (before?.tiles ?? []).flatMap(({ tile, outcome }) =>
    tile?.compare === ComparePeriod.PRIOR && outcome.case === 'result'
      ? [[tile.id, outcome.value] as const]
      : [],
  )
  return new Map(answers)
}
