import { create } from '@bufbuild/protobuf'
import {
  CalendarUnit,
  type Comparison,
  ComparisonSchema,
} from '@contract/millrace/insights/v1/comparison_pb.js'
import type { QueryRequest, QueryResponse } from '@contract/shared/insights/v1/insights_service_pb.js'
import { readWallClock } from '@domain/calendar.ts'
import { countDays } from '@domain/date-periods.ts'
import type { ComparedResult } from '@domain/insights/totals.ts'
import type { RangeMs } from '@domain/time-ranges.ts'
import type { Result } from './model/insight-type.ts'
import { toTimeRange } from './period.ts'

/** The ranges of a query, and the zone of its calendar. */
export interface ComparedRanges {
  readonly range: RangeMs
  readonly before: RangeMs | undefined
  readonly timeZone: string
}

/**
 * Runs a query for its range and the compared one: in one call where the calendar leads from one to the other, which
 * it does not from one hour to the one before.
 */
export async function askCompared(
  request: QueryRequest,
  { range, before, timeZone }: ComparedRanges,
  ask: (request: QueryRequest) => Promise<QueryResponse>,
): Promise<ComparedResult & { readonly response: QueryResponse }> {
  const compareTo = before && findShift({ range, before, timeZone })
  if (before && !compareTo) {
    const [response, other] = await Promise.all([
      ask(request),
      ask({ ...request, timeRange: toTimeRange(before) }),
    ])
    return { response, result: response.result, previous: other.result }
  }
  const response = await ask({ ...request, ...(compareTo && { compareTo }) })
  return { response, ...splitResult(response, compareTo) }
}

/** Trends have the series of both ranges in one result. */
function splitResult(
  { result, comparison }: QueryResponse,
  compareTo: Comparison | undefined,
): ComparedResult {
  if (!compareTo) return { result, previous: undefined }
  if (result.case !== 'trends') return { result, previous: comparison?.result }
  const only = (isComparison: boolean): Result => ({
    case: 'trends',
    value: {
      ...result.value,
      series: result.value.series.filter((one) => one.isComparison === isComparison),
    },
  })
  return { result: only(false), previous: only(true) }
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** The most units that a shift takes. */
const SHIFT_MAX = 400

/** The shift of the calendar that leads from a range to the compared one; `undefined` where none does. */
export function findShift({
  range,
  before,
  timeZone,
}: ComparedRanges & { readonly before: RangeMs }): Comparison | undefined {
  const ends = [
    stepOf(before.fromMs, range.fromMs, timeZone),
    stepOf(before.toMs, range.toMs, timeZone),
  ] as const
  const [from, to] = ends
  if (!from || !to) return undefined
  if (from.days === to.days) return shiftBy(CalendarUnit.DAY, from.days)
  return from.months === to.months ? shiftBy(CalendarUnit.MONTH, from.months) : undefined
}

function shiftBy(unit: CalendarUnit, count: number | undefined): Comparison | undefined {
  if (count === undefined || count < 1 || count > SHIFT_MAX) return undefined
  return create(ComparisonSchema, { with: { case: 'shift', value: { unit, count } } })
}

/** The days between two instants at the same local time, and the months where they are on the same day of theirs. */
function stepOf(
  ...[earlierMs, laterMs, timeZone]: readonly [earlierMs: number, laterMs: number, timeZone: string]
): { readonly days: number; readonly months: number | undefined } | undefined {
  const [earlier, later] = [readWallClock(earlierMs, timeZone), readWallClock(laterMs, timeZone)]
  const isSameTime =
    earlier.slice('YYYY-MM-DD'.length) === later.slice('YYYY-MM-DD'.length) &&
    earlierMs % MINUTE_MS === laterMs % MINUTE_MS
  // A shift leads to the first of two instants with one local time.
  const isRepeated = [HOUR_MS, HOUR_MS / 2].some((ms) => readWallClock(earlierMs - ms, timeZone) === earlier)
  if (!isSameTime || isRepeated) return undefined
  const [from, to] = [earlier, later].map((local) => local.slice(0, 'YYYY-MM-DD'.length)) as [string, string]
  const isSameDay = from.slice('YYYY-MM'.length) === to.slice('YYYY-MM'.length)
  return { days: countDays({ from, to }) - 1, months: isSameDay ? monthOf(to) - monthOf(from) : undefined }
}

function monthOf(date: string): number {
  const [year = 0, month = 0] = date.split('-').map(Number)
  return 12 * year + month
}
