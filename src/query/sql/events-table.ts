import type { ProjectId } from '../../contract/ids.ts'
import { int64Codec, uint32Codec } from './codec.ts'
import { param, type Sql, sql } from './sql.ts'

/** Which events a question may see: always one project, and a half-open range of time. */
export interface EventScope {
  readonly projectId: ProjectId
  /** Milliseconds since the Unix epoch, inclusive. */
  readonly fromMs: number
  /** Milliseconds since the Unix epoch, exclusive. */
  readonly toMs: number
}

/** The one place that reads `events`: without copies, and only within the scope. Ends in a `WHERE` that `AND` extends. */
export function scopedEvents(scope: EventScope): Sql {
  return sql`FROM events FINAL WHERE project = ${param(uint32Codec, scope.projectId)} AND time >= ${instant(scope.fromMs)} AND time < ${instant(scope.toMs)}`
}

/** An instant as the type of `events.time`. */
export function instant(ms: number): Sql {
  return sql`fromUnixTimestamp64Milli(${param(int64Codec, ms)}, 'UTC')`
}
