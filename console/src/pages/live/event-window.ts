import type { RangeMs } from '@domain/time-ranges.ts'
import { type InsightPeriod, insightRange } from '../../insights/insight-period.ts'
import type { Now } from '../../insights/period.ts'

const MINUTE_MS = 60_000

/** The time of a list of events. */
export interface EventWindow {
  /** Absent for all events up to now. */
  readonly range: RangeMs | undefined
  /** Whether the events are those that arrived in it, the latest first, and not those that happened in it. */
  readonly isByArrival: boolean
  /** Whether the time is over, so that the list hardly changes. */
  readonly isOver: boolean
}

/** What decides the time of a list. */
interface TimedQuery {
  /** The last minute of the list; undefined for now. */
  readonly minuteMs: number | undefined
  readonly period: InsightPeriod | undefined
}

/** The time of a list, and with `beforeMs` that of the older events at its end. */
export function windowOf({ minuteMs, period }: TimedQuery, now: Now, beforeMs?: number): EventWindow {
  // The bars count events at their own time: the list of a minute has the same events.
  if (minuteMs !== undefined)
    return {
      range: { fromMs: 0, toMs: beforeMs ?? minuteMs + MINUTE_MS },
      isByArrival: false,
      isOver: false,
    }
  if (period !== undefined) {
    const whole = insightRange(period, now)
    const fromMs = period === 'all-time' ? 0 : whole.fromMs
    // The range of a current period ends with the current moment.
    const isOver = whole.toMs <= now.nowMs - MINUTE_MS
    return { range: { fromMs, toMs: beforeMs ?? whole.toMs }, isByArrival: false, isOver }
  }
  return {
    range: beforeMs === undefined ? undefined : { fromMs: 0, toMs: beforeMs },
    isByArrival: true,
    isOver: false,
  }
}
