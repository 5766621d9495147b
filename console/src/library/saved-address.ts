import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { timestampMs } from '@bufbuild/protobuf/wkt'
import { TimeRangePreset } from '@contract/common/v1/time_range_pb.js'
import { CalendarUnit } from '@contract/millrace/insights/v1/comparison_pb.js'
import { FunnelRate } from '@contract/millrace/insights/v1/funnel_options_pb.js'
import { type InsightContent, InsightContentSchema } from '@contract/millrace/library/v1/saved_insight_pb.js'
import { Granularity as GranularityNumber } from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import { dateOf, shiftDate } from '@domain/calendar.ts'
import { countDays, shiftMonths } from '@domain/date-periods.ts'
import { presetName } from '@domain/time-ranges.ts'
import type { RateFrom, View } from '../charts/chart.ts'
import {
  type Compare,
  DEFAULT_PERIOD,
  daysOfInsight,
  type InsightPeriod,
  isHours,
  parseInsightPeriod,
  writeInsightPeriod,
} from '../insights/insight-period.ts'
import { GRANULARITY_NUMBERS, granularityName, type Now } from '../insights/period.ts'
import { type InsightQuery, writeQuery } from '../insights/query-address.ts'
import { decodeSpec, parseSpec, viewsOf, writeSpec } from '../insights/spec.ts'
import { modeOf, viewOfMode } from '../insights/stored-view.ts'

const WEEK_DAYS = 7
/** The longest shift of a stored comparison, in its unit. */
const SHIFT_MAX = 400

/** The texts of a saved insight. */
export type SavedTexts = Pick<InsightContent, 'name' | 'description' | 'tags'>

const RATES = {
  previous: FunnelRate.PREVIOUS_STEP,
  first: FunnelRate.FIRST_STEP,
} as const satisfies Record<RateFrom, FunnelRate>

/** A query, and how its answer is shown. */
export type ShownQuery = InsightQuery & {
  readonly view: View
  /** The step that the rates of a funnel are shown from. */
  readonly rate: RateFrom
}

/** The content that saves a query. */
export function contentOf(
  { spec, period, granularity, compare, view, rate }: ShownQuery,
  texts: SavedTexts,
  now: Now,
): InsightContent {
  const compareTo = comparisonOf(compare, firstDayOf(period, now))
  return create(InsightContentSchema, {
    ...texts,
    spec: parseSpec(spec),
    range: rangeOf(period),
    granularity: GRANULARITY_NUMBERS[granularity],
    viewMode: modeOf(view),
    funnelRate: RATES[rate],
    ...(compareTo && { compareTo }),
  })
}

type Init = Exclude<MessageInitShape<typeof InsightContentSchema>, { $typeName: string }>

function rangeOf(period: InsightPeriod): NonNullable<Init['range']> {
  return isHours(period)
    ? { case: 'preset', value: TimeRangePreset[period] }
    : { case: 'period', value: writeInsightPeriod(period) }
}

const NAMED_UNITS = {
  week: CalendarUnit.WEEK,
  month: CalendarUnit.MONTH,
  year: CalendarUnit.YEAR,
} as const

function comparisonOf(compare: Compare, firstDay: string): Init['compareTo'] {
  if (compare === 'none') return undefined
  if (compare === 'previous') return { with: { case: 'previousPeriod', value: true } }
  if (typeof compare === 'string')
    return { with: { case: 'shift', value: { unit: NAMED_UNITS[compare], count: 1 } } }
  const days = countDays({ from: compare.from, to: firstDay }) - 1
  if (days < 1) return undefined
  const shift =
    days <= SHIFT_MAX
      ? { unit: CalendarUnit.DAY, count: days }
      : { unit: CalendarUnit.WEEK, count: Math.min(SHIFT_MAX, Math.round(days / WEEK_DAYS)) }
  return { with: { case: 'shift', value: shift } }
}

/** The parameters of the address of a saved insight, without its id. */
export function addressOf(content: InsightContent, now: Now): Record<string, string> {
  const { spec, name, granularity, viewMode, funnelRate } = content
  if (!spec) return { name }
  const period = periodOf(content.range, now.timeZone)
  const compare = compareOf(content.compareTo, firstDayOf(period, now))
  const query = { spec: writeSpec(spec), period, granularity: granularityName(granularity), compare }
  const { granularity: width, ...parameters } = writeQuery(query)
  return {
    ...parameters,
    ...(granularity !== GranularityNumber.UNSPECIFIED && width !== undefined && { granularity: width }),
    view: viewOfMode(viewsOf(decodeSpec(spec)), viewMode),
    ...(funnelRate === RATES.first && { rate: 'first' }),
    name,
  }
}

/** Whether a content asks and shows the same as a saved one; what the saved one leaves open may be anything. */
export function isSameContent(saved: InsightContent, edited: InsightContent, now: Now): boolean {
  const [before, after] = [addressOf(saved, now), addressOf(edited, now)]
  const width = before.granularity ?? after.granularity
  const same = { ...before, ...(width !== undefined && { granularity: width }) }
  return new URLSearchParams(sorted(same)).toString() === new URLSearchParams(sorted(after)).toString()
}

function sorted(parameters: Record<string, string>): [string, string][] {
  return Object.entries(parameters).sort(([a], [b]) => (a < b ? -1 : 1))
}

function periodOf(range: InsightContent['range'], timeZone: string): InsightPeriod {
  switch (range.case) {
    case 'preset':
      return parseInsightPeriod(presetName(range.value)) ?? DEFAULT_PERIOD
    case 'period':
      return parseInsightPeriod(range.value) ?? DEFAULT_PERIOD
    case 'timeRange': {
      const { from, to } = range.value
      if (!from || !to) return DEFAULT_PERIOD
      return { from: dateOf(timestampMs(from), timeZone), to: dateOf(timestampMs(to) - 1, timeZone) }
    }
    default:
      return DEFAULT_PERIOD
  }
}

function compareOf(comparison: InsightContent['compareTo'], firstDay: string): Compare {
  const { with: other } = comparison ?? {}
  if (other?.case === 'previousPeriod') return 'previous'
  if (other?.case !== 'shift') return 'none'
  const { unit, count } = other.value
  const named = (['week', 'month', 'year'] as const).find((name) => NAMED_UNITS[name] === unit)
  if (named && count === 1) return named
  if (unit === CalendarUnit.DAY) return { from: shiftDate(firstDay, -count) }
  if (unit === CalendarUnit.WEEK) return { from: shiftDate(firstDay, -count * WEEK_DAYS) }
  return { from: shiftMonths(firstDay, -count * (unit === CalendarUnit.YEAR ? 12 : 1)) }
}

function firstDayOf(period: InsightPeriod, now: Now): string {
  return daysOfInsight(period, now).from
}
