import type { ProjectId } from '../../contract/ids.ts'
import { int64Codec } from '../sql/codec.ts'
import { ALL_TIME, scopedEvents } from '../sql/events-table.ts'
import { column, type QueryRunner, select } from '../sql/select.ts'
import { sql } from '../sql/sql.ts'

/** Number of events of a project from before an instant, copies counted once. */
export async function countEventsBefore(
  { projectId, beforeMs }: { readonly projectId: ProjectId; readonly beforeMs: number },
  run: QueryRunner,
): Promise<number> {
  if (beforeMs <= ALL_TIME.fromMs) return 0
  const range = { fromMs: ALL_TIME.fromMs, toMs: beforeMs }
  const counted = { count: column(int64Codec, sql`toInt64(count())`) }
  const [row] = await run(select(counted, scopedEvents({ projectId, ...range })))
  return row?.count ?? 0
}
