import { REFILL_NAMES } from './012-names.ts'
import { HAS_SESSION_TEXT } from './013-events-without-session.ts'

/**
 * Refill the targets of the views from events ingested since an instant: `{since:Int64}`, in milliseconds. Rows that exist
 * already have no effect. Visits and cells of days are computed anew: a backup does not copy them at the moment of its events.
 */
export const REFILL_VIEWS: readonly string[] = [
  'TRUNCATE TABLE IF EXISTS visit_coverage',
  'TRUNCATE TABLE IF EXISTS visits',
  'TRUNCATE TABLE IF EXISTS day_fills',
  'TRUNCATE TABLE IF EXISTS day_cells',
  `
INSERT INTO sessions
SELECT project, session_id, min(time) AS first, max(time) AS last
FROM events
WHERE ${HAS_SESSION_TEXT} AND ingested >= fromUnixTimestamp64Milli({since:Int64}, 'UTC')
GROUP BY project, session_id
SETTINGS max_bytes_before_external_group_by = 500000000, async_insert = 0`,
  `
INSERT INTO users
SELECT project, sipHash64(project, distinct_id) AS user_hash, distinct_id, min(time) AS first_seen, max(time) AS last_seen
FROM events
WHERE NOT cookieless AND ingested >= fromUnixTimestamp64Milli({since:Int64}, 'UTC')
GROUP BY project, distinct_id
SETTINGS max_bytes_before_external_group_by = 500000000, async_insert = 0`,
  REFILL_NAMES,
]
