import type { ProjectId } from '../../contract/ids.ts'
import type { RangeMs } from '../../domain/insights/time-range.ts'
import { int64Codec, stringArrayCodec, uint32Codec } from './codec.ts'
import { param, type Sql, sql } from './sql.ts'

/** The range of all possible event times; the engine's dates wrap beyond 2149. */
export const ALL_TIME: RangeMs = { fromMs: 0, toMs: Date.UTC(2106, 0, 1) }

/** Which events a question may see: always one project, and a half-open range of time. */
export interface EventScope {
  readonly projectId: ProjectId
  /** Milliseconds since the Unix epoch, inclusive. */
  readonly fromMs: number
  /** Milliseconds since the Unix epoch, exclusive. */
  readonly toMs: number
  /** Kinds that matter; absent, every kind does. */
  readonly kinds?: readonly string[] | undefined
  /** Hashes of distinct ids that matter, as a list or a subquery in parentheses; absent, every id does. */
  readonly userHashes?: Sql | undefined
}

/**
 * The one place that reads `events`: without copies, and only within the scope. Ends in a `WHERE` that `AND` extends.
 * What is asked before `FINAL` is part of the sorting key, hence equal in all copies of an event. The day is asked for by
 * name: from the time alone the engine does not conclude it, and would read all of the project's month.
 */
export function scopedEvents(scope: EventScope): Sql {
  const kinds = scope.kinds ? sql` AND kind IN ${param(stringArrayCodec, scope.kinds)}` : sql``
  const users = scope.userHashes ? sql` AND user_hash IN ${scope.userHashes}` : sql``
  return sql`FROM events FINAL PREWHERE project = ${param(uint32Codec, scope.projectId)} AND toDate(time) >= ${dayOf(scope.fromMs)} AND toDate(time) <= ${dayOf(scope.toMs - 1)} AND time >= ${instant(scope.fromMs)} AND time < ${instant(scope.toMs)}${kinds}${users} WHERE 1`
}

/** The date in UTC of an instant, or of the first or last one that an event may have. */
function dayOf(ms: number): Sql {
  return sql`toDate(${instant(Math.min(Math.max(ms, ALL_TIME.fromMs), ALL_TIME.toMs - 1))})`
}

/** An instant as the type of `events.time`. */
export function instant(ms: number): Sql {
  return sql`fromUnixTimestamp64Milli(${param(int64Codec, ms)}, 'UTC')`
}
