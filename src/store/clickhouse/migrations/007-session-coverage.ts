import type { Layout } from './layout.ts'

/**
 * Until when arrivals of sessions are covered by `long_sessions`: one row a shard, the epoch when nothing is. A question
 * needs the least of them.
 */
export const createSessionCoverage = (layout: Layout): readonly string[] => [
  `
CREATE VIEW IF NOT EXISTS ${layout.local('session_coverage')}${layout.on} AS
SELECT max(last) AS covered
FROM ${layout.local('long_sessions')}
WHERE project = 0`,
  ...layout.createReader({ name: 'session_coverage', columns: "covered DateTime64(3, 'UTC')" }),
]
