import type { ProjectId } from '../../contract/ids.ts'
import type { RangeMs } from '../../domain/insights/time-range.ts'
import { HAS_SESSION_TEXT } from '../../store/clickhouse/migrations/013-events-without-session.ts'
import { int64Codec, stringArrayCodec, uint32Codec } from './codec.ts'
import { isInSpans, type Span } from './spans.ts'
import { param, Sql, sql } from './sql.ts'

/** The range of all possible event times; the engine's dates wrap beyond 2149. */
export const ALL_TIME: RangeMs = { fromMs: 0, toMs: Date.UTC(2106, 0, 1) }

/** Whether the row's event belongs to a session: 0 or 1. */
export const HAS_SESSION: Sql = Sql.of([HAS_SESSION_TEXT], [])

/** The events that a query covers: one project, and a half-open range of time. */
export interface EventScope {
  readonly projectId: ProjectId
  /** Milliseconds since the Unix epoch, inclusive. */
  readonly fromMs: number
  /** Milliseconds since the Unix epoch, exclusive. */
  readonly toMs: number
  /** Kinds to read; every kind when absent. */
  readonly kinds?: readonly string[] | undefined
  /** Hashes of distinct ids to read, as a list or a subquery in parentheses; every id when absent. */
  readonly userHashes?: Sql | undefined
  /** Spans to read; all of the range when absent. */
  readonly spans?: readonly Span[] | undefined
  /** An instant as a constant expression, before which no event matters; the range alone decides when absent. */
  readonly start?: Sql | undefined
  /** ` LEFT ANY JOIN ...`: more columns for each event. */
  readonly joined?: Sql | undefined
}

/**
 * The only code that reads `events` for an answer: deduplicated, and within the scope. Ends in a `WHERE` that `AND` extends.
 * Columns of the `PREWHERE` belong to the sorting key, so all copies of an event pass or fail it together. The day is
 * named for the index, which does not derive it from the time and would read the whole month of the project; events are compared by time.
 */
export function scopedEvents(scope: EventScope): Sql {
  return sql`FROM events FINAL${scope.joined ?? sql``} PREWHERE ${isWithin(scope)} WHERE 1`
}

/**
 * As {@link scopedEvents}, but every stored copy that meets the condition, also one that lost to a later copy: only good for
 * finding where the events of an answer may be. The engine reads the columns of the condition first, and the others only
 * around the rows that meet it.
 */
export function scopedCopies(scope: Omit<EventScope, 'joined'>, condition: Sql): Sql {
  return sql`FROM events PREWHERE ${isWithin(scope)} AND ${condition} WHERE 1`
}

function isWithin({ projectId, fromMs, toMs, start, ...scope }: EventScope): Sql {
  const spans = scope.spans ? sql` AND ${isInSpans(scope.spans)}` : sql``
  const kinds = scope.kinds ? sql` AND kind IN ${param(stringArrayCodec, scope.kinds)}` : sql``
  const users = scope.userHashes ? sql` AND user_hash IN ${scope.userHashes}` : sql``
  const later = start ? sql` AND indexHint(toDate(time) >= toDate(${start})) AND time >= ${start}` : sql``
  return sql`project = ${param(uint32Codec, projectId)} AND indexHint(toDate(time) >= ${dayOf(fromMs)}, toDate(time) <= ${dayOf(toMs - 1)}) AND time >= ${instant(fromMs)} AND time < ${instant(toMs)}${spans}${later}${kinds}${users}`
}

/** The date in UTC of an instant, or of the first or last one that an event may have. */
function dayOf(ms: number): Sql {
  return sql`toDate(${instant(Math.min(Math.max(ms, ALL_TIME.fromMs), ALL_TIME.toMs - 1))})`
}

/** An instant as the type of `events.time`. */
export function instant(ms: number): Sql {
  return sql`fromUnixTimestamp64Milli(${param(int64Codec, ms)}, 'UTC')`
}
