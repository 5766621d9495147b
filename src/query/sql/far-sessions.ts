import type { ProjectId } from '../../contract/ids.ts'
import type { RangeMs } from '../../domain/insights/time-range.ts'
import { instant } from './events-table.ts'
import { scopedTable } from './scoped-table.ts'
import { type Sql, sql } from './sql.ts'

/** A range of time of one project. */
export interface ProjectRange {
  readonly projectId: ProjectId
  readonly range: RangeMs
}

/**
 * `session_id, began, ended` of the sessions that overlap the frame's range and have events outside the surrounding
 * window: from the long sessions in the fold, and from all events that arrived after it. A session may come from both,
 * with different ends. When the window ends with the range, ends do not matter.
 */
export function farSessions({ projectId, range }: ProjectRange, around: RangeMs): Sql {
  const covered = sql`(SELECT min(covered) FROM session_coverage)`
  const arrived = sql`SELECT session_id ${scopedTable('session_arrivals', projectId)} AND arrived >= ${covered}`
  const known = sql`SELECT session_id, first, last ${scopedTable('long_sessions', projectId)}`
  const fresh = sql`SELECT session_id, first, last ${scopedTable('sessions', projectId)} AND session_id IN (${arrived})`
  const overlaps = sql`began < ${instant(range.toMs)} AND ended >= ${instant(range.fromMs)}`
  const isLate = around.toMs > range.toMs ? sql` OR ended >= ${instant(around.toMs)}` : sql``
  const isFar = sql`(began < ${instant(around.fromMs)}${isLate})`
  return sql`SELECT session_id, min(first) AS began, max(last) AS ended FROM (${known} UNION ALL ${fresh}) GROUP BY session_id HAVING ${overlaps} AND ${isFar}`
}
