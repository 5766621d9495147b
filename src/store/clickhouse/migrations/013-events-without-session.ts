import { NO_SESSION } from '../../../contract/ids.ts'
import type { Layout } from './layout.ts'

/** Whether the row's event belongs to a session. */
export const HAS_SESSION_TEXT = `session_id != toUUID('${NO_SESSION}')`

/**
 * Events without a session are in no table of sessions: all of a project would be one that never ends. The row of project 0 of
 * `long_sessions` is no session: it has the time of the fold.
 */
export const leaveOutNoSession = ({ on, local }: Layout): readonly string[] => [
  `
ALTER TABLE sessions_of_events${on} MODIFY QUERY
SELECT project, session_id, min(time) AS first, max(time) AS last
FROM ${local('events')}
WHERE ${HAS_SESSION_TEXT}
GROUP BY project, session_id`,
  ...['sessions', 'session_arrivals', 'long_sessions', 'visits'].map(
    (table) => `ALTER TABLE ${local(table)}${on} DELETE WHERE project != 0 AND NOT (${HAS_SESSION_TEXT})`,
  ),
]
