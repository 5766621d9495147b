import { createHash } from 'node:crypto'
import type { RangeMs } from '../../domain/insights/time-range.ts'
import { CELLS_HOURS } from '../../store/clickhouse/migrations/018-day-cells.ts'
import type { DayCells, KeptSpan } from '../sql/day-cells.ts'
import { contains, daysOf, hoursOf, type Span } from '../sql/spans.ts'
import { arrivalsOf, type Fill, type ProjectDays } from './read-days.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Longer ranges are read from events. */
const DAYS_MAX = 1100

/** A span whose cells can be stored. */
export interface ClosedSpan extends Span {
  /** The version that it has. */
  readonly version: string
  /** Events that have arrived for it, copies included. */
  readonly eventCount: number
}

/** How a question is answered: which spans are kept, which are not, and which can be, in order of time. */
export interface DayPlan {
  readonly kept: readonly KeptSpan[]
  readonly others: readonly Span[]
  readonly closed: readonly ClosedSpan[]
}

/** Bounds of a plan. */
export interface PlanBounds {
  /** How far another replica may be behind, in milliseconds. */
  readonly lagMs: number
  /** Days after which events expire; 0 for never. */
  readonly retentionDays: number
  /** Spans with fewer events in all are not stored yet. */
  readonly storedEventsMin: number
}

/** Whether spans of a range can be kept: it is not too long, and has an hour. */
export function hasSpans({ fromMs, toMs }: RangeMs): boolean {
  const hasHour = Math.ceil(fromMs / HOUR_MS) < Math.floor(toMs / HOUR_MS)
  return hasHour && toMs - fromMs <= DAYS_MAX * DAY_MS
}

/**
 * Plans an answer. What is kept is a day, once it is over; until then, and when it has changed after it was kept, it is an hour: most
 * events arrive in the hour of their time, and late ones leave the other hours as they are.
 */
export function planDays(
  cells: DayCells,
  { state, fills }: { readonly state: ProjectDays; readonly fills: readonly Fill[] },
  bounds: PlanBounds,
): DayPlan {
  const stored = indexFills(fills, state, bounds)
  const parts = daysOf(cells.range).map((day) => planDay(day, { cells, state, stored, bounds }))
  const closed = parts.flatMap((part) => part.closed)
  const eventCount = closed.reduce((sum, span) => sum + span.eventCount, 0)
  return {
    kept: parts.flatMap((part) => part.kept),
    others: parts.flatMap((part) => part.others),
    closed: eventCount < bounds.storedEventsMin ? [] : closed,
  }
}

/** The spans whose cells can be used. */
interface StoredSpans {
  /** By span and version. */
  readonly fills: ReadonlyMap<string, string>
  /** Days that are stored in any version: as a whole, and by hours. */
  readonly days: ReadonlySet<string>
  readonly daysByHour: ReadonlySet<string>
}

function indexFills(
  fills: readonly Fill[],
  { nowMs, erasures }: ProjectDays,
  { lagMs }: PlanBounds,
): StoredSpans {
  const stored = { fills: new Map<string, string>(), days: new Set<string>(), daysByHour: new Set<string>() }
  for (const { filledMs, ...fill } of fills.toReversed()) {
    // Cells may not have reached the replica that is asked, or have expired.
    const isUsable = filledMs <= nowMs - lagMs && filledMs > nowMs - CELLS_HOURS * HOUR_MS
    if (!isUsable || fill.erasures !== erasures) continue
    for (const [index, day] of fill.days.entries()) {
      const hour = fill.hours[index] ?? 0
      stored.fills.set(`${day} ${hour} ${fill.versions[index]}`, fill.fill)
      stored[hour === 0 ? 'days' : 'daysByHour'].add(day)
    }
  }
  return stored
}

/** What a plan is made from. */
interface PlanInput {
  readonly cells: DayCells
  readonly state: ProjectDays
  readonly stored: StoredSpans
  readonly bounds: PlanBounds
}

function planDay(day: Span, input: PlanInput): DayPlan {
  const { cells, state, stored } = input
  const whole = findSpan(day, input)
  if (whole.kept) return { kept: [whole.kept], others: [], closed: [] }
  const hours = hoursOf(day, cells.range)
  const isCountedByHour = hours.some((hour) => arrivalsOf(state, hour))
  const isOpen = day.toMs > state.nowMs || stored.days.has(day.day) || !contains(cells.range, day)
  const isByHour = isCountedByHour && isOpen
  if (!isByHour && !stored.daysByHour.has(day.day)) return { kept: [], others: [day], closed: whole.closed }
  const found = hours.map((hour) => findSpan(hour, input))
  const kept = found.flatMap((one) => one.kept ?? [])
  return {
    kept,
    others: kept.length === 0 ? [day] : found.flatMap((one) => (one.kept ? [] : [one.span])),
    closed: isByHour ? found.flatMap((one) => one.closed) : whole.closed,
  }
}

/** A span with its fill, or with what can be stored of it. */
interface FoundSpan {
  readonly span: Span
  readonly kept: KeptSpan | undefined
  readonly closed: readonly ClosedSpan[]
}

function findSpan(
  span: Span,
  { cells, state, stored, bounds: { lagMs, retentionDays } }: PlanInput,
): FoundSpan {
  const { nowMs, coveredMs, countedMs } = state
  // A clock that was set back makes new arrivals look old, and an INSERT from before the count may still run.
  const isReliable = nowMs >= coveredMs && coveredMs > countedMs + lagMs
  // Expired events are removed without a trace.
  const keptFromMs = retentionDays === 0 ? 0 : nowMs - (retentionDays - 1) * DAY_MS
  const arrivals = arrivalsOf(state, span)
  const isKeepable = isReliable && contains(cells.range, span) && span.fromMs >= keptFromMs
  if (!isKeepable || !arrivals) return { span, kept: undefined, closed: [] }
  const { day, hour, toMs } = span
  const version = `${arrivals.count} ${layoutOf(cells, span)}`
  const fill = stored.fills.get(`${day} ${hour} ${version}`)
  if (fill) return { span, kept: { ...span, fill }, closed: [] }
  const isClosed = toMs <= nowMs && arrivals.arrivedMs < coveredMs
  return {
    span,
    kept: undefined,
    closed: isClosed ? [{ ...span, version, eventCount: Number(arrivals.count) }] : [],
  }
}

/** How the buckets lie in a span. */
function layoutOf({ buckets }: DayCells, { fromMs, toMs }: Span): string {
  if (!buckets) return 'none'
  const { starts } = buckets
  const first = starts.findLastIndex((start) => start <= fromMs)
  const after = starts.findIndex((start) => start >= toMs)
  const own = starts.slice(Math.max(0, first), after < 0 ? starts.length : after)
  return own.length < 4 ? own.join() : createHash('sha256').update(own.join()).digest('base64')
}
