/** A session that spans more than this is a long one: {@link LONG_SESSIONS} has it. */
export const LONG_SESSION_MS = 6 * 3_600_000

/**
 * When each session began and ended, over all of its events. Copies of events change nothing. Read by key only: session
 * ids are random, so that a scan by time would read all of it; hence the small granules.
 */
export const SESSIONS = `
CREATE TABLE IF NOT EXISTS sessions (
  project UInt32,
  session_id UUID,
  first SimpleAggregateFunction(min, DateTime64(3, 'UTC')),
  last SimpleAggregateFunction(max, DateTime64(3, 'UTC'))
)
ENGINE = AggregatingMergeTree
ORDER BY (project, session_id)
SETTINGS
  index_granularity = 256,
  non_replicated_deduplication_window = 10000,
  fsync_after_insert = 1,
  fsync_part_directory = 1`

/** Which sessions had events lately, by the time at which these arrived: what the fold has not seen yet. */
export const SESSION_ARRIVALS = `
CREATE TABLE IF NOT EXISTS session_arrivals (
  arrived DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD(1)),
  project UInt32,
  session_id UUID
)
ENGINE = MergeTree
PARTITION BY toDate(arrived)
ORDER BY (arrived, project)
TTL toDateTime(arrived) + INTERVAL 30 DAY
SETTINGS
  ttl_only_drop_parts = 1,
  non_replicated_deduplication_window = 10000,
  fsync_after_insert = 1,
  fsync_part_directory = 1`

/**
 * The few sessions that span more than {@link LONG_SESSION_MS}, among all that arrived before `max(last)` of the rows
 * of project 0, which merge into the latest. A question looks for the events of other sessions only near its own range.
 */
export const LONG_SESSIONS = `
CREATE TABLE IF NOT EXISTS long_sessions (
  project UInt32,
  session_id UUID,
  first SimpleAggregateFunction(min, DateTime64(3, 'UTC')),
  last SimpleAggregateFunction(max, DateTime64(3, 'UTC'))
)
ENGINE = AggregatingMergeTree
ORDER BY (project, session_id)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1`

/** Fed by what is inserted into `sessions`, which is a row a session of each INSERT of events. */
export const SESSION_ARRIVALS_VIEW = `
CREATE MATERIALIZED VIEW IF NOT EXISTS arrivals_of_sessions TO session_arrivals AS
SELECT now64(3, 'UTC') AS arrived, project, session_id
FROM sessions`

/** Fed by every INSERT of events, before it is answered. */
export const SESSIONS_VIEW = `
CREATE MATERIALIZED VIEW IF NOT EXISTS sessions_of_events TO sessions AS
SELECT project, session_id, min(time) AS first, max(time) AS last
FROM events
GROUP BY project, session_id`

/** Events that were there before the view was. */
export const SESSIONS_BACKFILL = `
INSERT INTO sessions
SELECT project, session_id, min(time) AS first, max(time) AS last
FROM events
GROUP BY project, session_id
SETTINGS max_bytes_before_external_group_by = 500000000, async_insert = 0`

/** Arrivals that one fold looks up at most; the next one goes on from there. */
const ARRIVALS_PER_FOLD = 1_000_000

const COVERED = `(SELECT max(last) FROM long_sessions WHERE project = 0)`

/** When the last of them arrived; NULL when there are fewer. */
const ENOUGH = `(
    SELECT arrived FROM session_arrivals WHERE arrived >= ${COVERED} ORDER BY arrived LIMIT 1 OFFSET ${ARRIVALS_PER_FOLD}
  )`

/**
 * Looks up what arrived since the last fold. The row of project 0 says until when arrivals are covered: not beyond the
 * start of an INSERT that still runs, whose rows may have an earlier time than they are seen at; two seconds are for a
 * clock that is set back. It is written last.
 */
export const LONG_SESSIONS_FOLD = `
CREATE MATERIALIZED VIEW IF NOT EXISTS long_sessions_fold
REFRESH EVERY 30 SECOND APPEND TO long_sessions AS
SELECT project, session_id, first, last
FROM (
  SELECT project, session_id, min(first) AS first, max(last) AS last
  FROM sessions
  WHERE (project, session_id) IN (
    SELECT project, session_id
    FROM session_arrivals
    WHERE arrived >= ${COVERED} AND arrived <= ifNull(${ENOUGH}, now64(3, 'UTC') + INTERVAL 1 DAY)
  )
  GROUP BY project, session_id
  HAVING last > first + toIntervalMillisecond(${LONG_SESSION_MS})
  UNION ALL
  SELECT
    toUInt32(0) AS project,
    toUUID('00000000-0000-0000-0000-000000000000') AS session_id,
    least(
      ifNull(${ENOUGH} + INTERVAL 1 MILLISECOND, now64(3, 'UTC')),
      now64(3, 'UTC') - INTERVAL 2 SECOND - toIntervalMillisecond((
        SELECT toInt64(1000 * max(elapsed)) FROM system.processes WHERE query_kind = 'Insert'
      ))
    ) AS first,
    first AS last
)
ORDER BY project DESC
SETTINGS max_bytes_before_external_group_by = 200000000`
