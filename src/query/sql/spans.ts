import type { RangeMs } from '../../domain/insights/time-range.ts'
import { dateArrayCodec, hourArrayCodec } from './codec.ts'
import { param, type Sql, sql } from './sql.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** A day in UTC, or one hour of it: copies of an event have one time, so that all of them are in the same span. */
export interface Span extends RangeMs {
  /** As `2026-01-31`. */
  readonly day: string
  /** From 1 to 24; 0 for the whole day. */
  readonly hour: number
}

/** The days that a range has a part of. */
export function daysOf({ fromMs, toMs }: RangeMs): readonly Span[] {
  const first = Math.floor(fromMs / DAY_MS)
  return Array.from({ length: Math.max(0, Math.ceil(toMs / DAY_MS) - first) }, (_, index) => {
    const startMs = (first + index) * DAY_MS
    const day = new Date(startMs).toISOString().slice(0, 10)
    return { day, hour: 0, fromMs: startMs, toMs: startMs + DAY_MS }
  })
}

/** The hours of a day that a range has a part of. */
export function hoursOf({ day, fromMs: dayMs }: Span, range: RangeMs): readonly Span[] {
  const hours = Array.from({ length: 24 }, (_, index) => {
    const fromMs = dayMs + index * HOUR_MS
    return { day, hour: index + 1, fromMs, toMs: fromMs + HOUR_MS }
  })
  return hours.filter(({ fromMs, toMs }) => fromMs < range.toMs && toMs > range.fromMs)
}

/** Whether a range has every instant of another one. */
export function contains(range: RangeMs, { fromMs, toMs }: RangeMs): boolean {
  return range.fromMs <= fromMs && range.toMs >= toMs
}

/** A part of a range. */
export interface RangePart {
  readonly range: RangeMs
  /** The spans of it, in order of time; all of the range when absent. */
  readonly spans?: readonly Span[]
}

/** The part of a range that consists of some spans, of which there is at least one, in order of time. */
export function partOf(range: RangeMs, spans: readonly Span[]): RangePart {
  const fromMs = Math.max(range.fromMs, spans[0]?.fromMs ?? range.fromMs)
  const toMs = Math.min(range.toMs, spans.at(-1)?.toMs ?? range.toMs)
  const hasGaps = spans.some((span, index) => index > 0 && span.fromMs !== spans[index - 1]?.toMs)
  return { range: { fromMs, toMs }, ...(hasGaps ? { spans } : {}) }
}

/** Whether the row's time is in one of the spans. The day is named for the index, which does not derive it from the hour. */
export function isInSpans(spans: readonly Span[]): Sql {
  const days = spans.filter(({ hour }) => hour === 0).map(({ day }) => day)
  const isInDays = sql`toDate(time) IN ${param(dateArrayCodec, days)}`
  if (days.length === spans.length) return isInDays
  const all = param(dateArrayCodec, [...new Set(spans.map(({ day }) => day))])
  const hours = spans.filter(({ hour }) => hour > 0).map(({ fromMs }) => fromMs)
  return sql`indexHint(toDate(time) IN ${all}) AND (${isInDays} OR toStartOfHour(time) IN ${param(hourArrayCodec, hours)})`
}
