import { create } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { FilterOperator } from '@contract/common/v1/filter_pb.js'
import { type TimeRange, TimeRangeSchema } from '@contract/common/v1/time_range_pb.js'
import {
  CalendarUnit,
  type Comparison,
  ComparisonSchema,
} from '@contract/millrace/insights/v1/comparison_pb.js'
import {
  type QueryOverviewRequest,
  QueryOverviewRequestSchema,
  type QueryTableRequest,
  QueryTableRequestSchema,
  type WebFilter,
  WebFilterSchema,
} from '@contract/millrace/web/v1/web_analytics_service_pb.js'
import { Granularity } from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import { type Days, rangeOfDays, shiftDate } from '@domain/calendar.ts'
import { countDays, countWeeks, daysOfPeriod, shiftMonths, type Today } from '@domain/date-periods.ts'
import { RANGE_MS_MAX, type RangeMs, suitableBuckets } from '@domain/time-ranges.ts'
import type { CohortFilterDraft } from '../../cohorts/cohort-filters.ts'
import { DIMENSION_NAMES, DIMENSIONS } from './dimensions.ts'
import {
  type Compare,
  INTERVALS,
  type Interval,
  OPERATORS,
  type Operator,
  type ViewState,
  type VisitFilter,
} from './view-state.ts'

const DAYS_OF_WEEK = 7
/** Longest shift of a comparison. */
const SHIFT_MAX = 400

/** The widths of buckets in messages. */
export const INTERVAL_NUMBERS = {
  hour: Granularity.HOUR,
  day: Granularity.DAY,
  week: Granularity.WEEK,
  month: Granularity.MONTH,
} as const satisfies Record<Interval, Granularity>

const OPERATOR_NUMBERS = {
  is: FilterOperator.EQUALS,
  'is-not': FilterOperator.NOT_EQUALS,
  contains: FilterOperator.CONTAINS,
  'does-not-contain': FilterOperator.NOT_CONTAINS,
  'is-set': FilterOperator.IS_SET,
  'is-not-set': FilterOperator.IS_NOT_SET,
} as const satisfies Record<Operator, FilterOperator>

/** The instant of a query, its date in the project's zone, and that zone. */
export interface AsOf extends Today {
  readonly nowMs: number
  readonly timeZone: string
}

/** The ranges of a page: its days, those of the comparison, and the range up to now. */
export interface AskedRange {
  readonly days: Days
  readonly range: RangeMs
  readonly shift: CalendarShiftOf | undefined
  /** The days of the comparison. */
  readonly comparedDays: Days | undefined
  readonly interval: Interval
  readonly intervals: readonly Interval[]
}

interface CalendarShiftOf {
  readonly unit: CalendarUnit
  readonly count: number
  /** Whether the days of both ranges are the same days of the week. */
  readonly isByWeeks: boolean
}

/** The ranges of a state. The last day ends now; buckets that are too narrow give way to those that suit the range. */
export function askedRange({ period, compare, interval }: ViewState, asOf: AsOf): AskedRange {
  const days = daysOfPeriod(period, asOf)
  const whole = rangeOfDays(days, asOf.timeZone)
  const isOpen = whole.fromMs < asOf.nowMs && asOf.nowMs < whole.toMs
  const range = { fromMs: whole.fromMs, toMs: isOpen ? asOf.nowMs : whole.toMs }
  const shift = shiftOf(compare, days)
  const intervals = fittingIntervals(days, whole)
  const usual = usualInterval(days)
  return {
    days,
    range,
    shift,
    comparedDays: shift && { from: shiftBack(days.from, shift), to: shiftBack(days.to, shift) },
    interval: interval && intervals.includes(interval) ? interval : usual,
    intervals,
  }
}

/**
 * How far back the compared range lies; `undefined` for none. From a week on the weekdays match: the shift is the most whole
 * weeks that the days hold.
 */
export function shiftOf(compare: Compare, days: Days): CalendarShiftOf | undefined {
  if (compare === 'none') return undefined
  if (typeof compare === 'object') return shiftTo(compare.from, days)
  if (compare === 'year') return { unit: CalendarUnit.YEAR, count: 1, isByWeeks: false }
  const count = countDays(days)
  const weeks = countWeeks(days)
  if (weeks === 0) return { unit: CalendarUnit.DAY, count, isByWeeks: false }
  return { unit: CalendarUnit.WEEK, count: Math.min(weeks, SHIFT_MAX), isByWeeks: true }
}

/** A shift to a first day: in days, or in weeks beyond the limit of days. */
function shiftTo(from: string, days: Days): CalendarShiftOf | undefined {
  if (from >= days.from) return undefined
  const count = countDays({ from, to: days.from }) - 1
  const isByWeeks = count % DAYS_OF_WEEK === 0
  if (count <= SHIFT_MAX) return { unit: CalendarUnit.DAY, count, isByWeeks }
  const weeks = count / DAYS_OF_WEEK
  return isByWeeks && weeks <= SHIFT_MAX ? { unit: CalendarUnit.WEEK, count: weeks, isByWeeks } : undefined
}

function shiftBack(date: string, { unit, count }: CalendarShiftOf): string {
  if (unit === CalendarUnit.YEAR) return shiftMonths(date, -12 * count)
  return shiftDate(date, unit === CalendarUnit.WEEK ? -DAYS_OF_WEEK * count : -count)
}

function usualInterval(days: Days): Interval {
  const width = suitableBuckets(countDays(days))
  return INTERVALS.find((interval) => INTERVAL_NUMBERS[interval] === width) ?? 'day'
}

/** Those that the service allows for the range, and that make more than one bucket. */
function fittingIntervals(days: Days, { fromMs, toMs }: RangeMs): readonly Interval[] {
  const count = countDays(days)
  const least = { hour: 1, day: 2, week: 8, month: 32 } as const satisfies Record<Interval, number>
  return INTERVALS.filter(
    (interval) => count >= least[interval] && toMs - fromMs <= RANGE_MS_MAX[INTERVAL_NUMBERS[interval]],
  )
}

/** A filter as requests have it. */
export function encodeFilter({ dimension, operator, value }: VisitFilter): WebFilter {
  return create(WebFilterSchema, {
    dimension: DIMENSIONS[dimension].number,
    operator: OPERATOR_NUMBERS[operator],
    value,
  })
}

/** Decodes {@link encodeFilter}; `undefined` for a filter that the page does not offer. */
export function readFilter({ dimension, operator, value }: WebFilter): VisitFilter | undefined {
  const named = DIMENSION_NAMES.find((name) => DIMENSIONS[name].number === dimension)
  const compared = OPERATORS.find((name) => OPERATOR_NUMBERS[name] === operator)
  return named && compared && { dimension: named, operator: compared, value }
}

function toComparison(shift: CalendarShiftOf | undefined): Comparison | undefined {
  if (!shift) return undefined
  const { unit, count } = shift
  return create(ComparisonSchema, { with: { case: 'shift', value: { unit, count } } })
}

/** The range, the filters and the cohorts, as every request about visits has them. */
export function visitsOf(
  { filters, cohorts }: Pick<ViewState, 'filters' | 'cohorts'>,
  { range }: Pick<AskedRange, 'range'>,
): {
  readonly timeRange: TimeRange
  readonly filters: WebFilter[]
  readonly cohorts: CohortFilterDraft[]
} {
  return {
    timeRange: create(TimeRangeSchema, {
      from: timestampFromMs(range.fromMs),
      to: timestampFromMs(range.toMs),
    }),
    filters: filters.map(encodeFilter),
    cohorts: [...cohorts],
  }
}

function commonOf(state: ViewState, asked: AskedRange) {
  const compareTo = toComparison(asked.shift)
  return { ...visitsOf(state, asked), ...(compareTo && { compareTo }) }
}

/** The request of the strip and the chart. */
export function overviewRequest(state: ViewState, asked: AskedRange): QueryOverviewRequest {
  return create(QueryOverviewRequestSchema, {
    ...commonOf(state, asked),
    granularity: INTERVAL_NUMBERS[asked.interval],
  })
}

/** The fields of a request for a table beside the state of the page. */
export interface TableQuery {
  readonly dimension: QueryTableRequest['dimension']
  readonly limit: number
  readonly offset?: number
  readonly search?: string
  readonly compare?: 'as the page' | 'none'
}

/** The request of a panel. */
export function tableRequest(state: ViewState, asked: AskedRange, query: TableQuery): QueryTableRequest {
  const { compareTo, ...common } = commonOf(state, asked)
  return create(QueryTableRequestSchema, {
    ...common,
    ...(query.compare === 'as the page' && compareTo && { compareTo }),
    dimension: query.dimension,
    limit: query.limit,
    offset: query.offset ?? 0,
    search: query.search ?? '',
  })
}
