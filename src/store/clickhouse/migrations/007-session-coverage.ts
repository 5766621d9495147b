import type { Layout } from './layout.ts'

/**
 * The time until which `long_sessions` covers the arrivals of sessions: one row per shard, the epoch when it covers none.
 * Queries use the minimum.
 */
export const createSessionCoverage = (layout: Layout): readonly string[] => [
  `
CREATE VIEW IF NOT EXISTS ${layout.local('session_coverage')}${layout.on} AS
SELECT max(last) AS covered
FROM ${layout.local('long_sessions')}
WHERE project = 0`,
  ...layout.createReader({ name: 'session_coverage', columns: "covered DateTime64(3, 'UTC')" }),
]
