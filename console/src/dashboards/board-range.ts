import { Granularity, InsightType } from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import { type Days, rangeOfDays, shiftDate } from '@domain/calendar.ts'
import {
  countDays,
  type DatePeriod,
  daysOfPeriod,
  previousDays,
  shiftMonths,
  type Today,
} from '@domain/date-periods.ts'
import { type RangeMs, suitableBuckets, widenBuckets } from '@domain/time-ranges.ts'
import { cutLike } from '../insights/insight-period.ts'

/** The instant of the answers, its date in the project's zone, and that zone. */
export interface AsOf extends Today {
  readonly nowMs: number
  readonly timeZone: string
}

/** The days of a dashboard and their range, which ends now where the last day is not over. */
export interface BoardRange {
  readonly days: Days
  readonly range: RangeMs
}

/** The range of a period. */
export function rangeOfBoard(period: DatePeriod, asOf: AsOf): BoardRange {
  const days = daysOfPeriod(period, asOf)
  const { fromMs, toMs } = rangeOfDays(days, asOf.timeZone)
  const isOpen = fromMs < asOf.nowMs && asOf.nowMs < toMs
  return { days, range: { fromMs, toMs: isOpen ? asOf.nowMs : toMs } }
}

/** The range that a range is compared with: as many days, of the previous period or of a year earlier, cut off at the same time. */
export function comparedRange(
  { days, range }: BoardRange,
  { compare, timeZone }: { readonly compare: 'previous' | 'year'; readonly timeZone: string },
): RangeMs {
  const from = compare === 'year' ? shiftMonths(days.from, -12) : previousDays(days).from
  return cutLike({ from, to: shiftDate(from, countDays(days) - 1) }, { days, range }, timeZone)
}

/** Hours of people who come back are mostly empty. */
const LEAST = { [InsightType.RETENTION]: Granularity.DAY } as Readonly<Record<number, Granularity>>

/** A lifecycle has no hours, also where a tile was stored with them. */
const LEAST_ALLOWED = { [InsightType.LIFECYCLE]: Granularity.DAY } as Readonly<Record<number, Granularity>>

/**
 * The width of the buckets of a tile: its own; else that of the dashboard while its period is shown, or one that suits the
 * chosen period. Widened until the range allows it.
 */
export function bucketsOfTile(
  tile: { readonly own: Granularity; readonly type: InsightType },
  board: BoardRange & { readonly stored: Granularity; readonly isStoredPeriod: boolean },
): Granularity {
  const suiting = board.isStoredPeriod && board.stored ? board.stored : suitableBuckets(countDays(board.days))
  const chosen = tile.own || Math.max(suiting, LEAST[tile.type] ?? 0)
  const wanted = Math.max(chosen, LEAST_ALLOWED[tile.type] ?? 0)
  return widenBuckets(wanted, board.range.toMs - board.range.fromMs) ?? Granularity.MONTH
}
