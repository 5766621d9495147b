import type { Layout, TableDefinition } from './layout.ts'

/** Longer sessions are in {@link LONG_SESSIONS}. */
export const LONG_SESSION_MS = 6 * 3_600_000

/**
 * Start and end of each session, over all of its events; copies of events have no effect. Read by key only, hence the small
 * granules: session ids are random, so that a time range would scan the whole table.
 */
export const SESSIONS = {
  name: 'sessions',
  columns: `project UInt32,
  session_id UUID,
  first SimpleAggregateFunction(min, DateTime64(3, 'UTC')),
  last SimpleAggregateFunction(max, DateTime64(3, 'UTC'))`,
  engine: 'AggregatingMergeTree',
  clauses: ['ORDER BY (project, session_id)'],
  settings: [
    'index_granularity = 256',
    'non_replicated_deduplication_window = 10000',
    'fsync_after_insert = 1',
    'fsync_part_directory = 1',
  ],
  shardBy: 'sipHash64(session_id)',
} as const satisfies TableDefinition

/** Sessions with recent events, by arrival time: input of {@link createLongSessionsFold}. */
export const SESSION_ARRIVALS = {
  name: 'session_arrivals',
  columns: `arrived DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD(1)),
  project UInt32,
  session_id UUID`,
  engine: 'MergeTree',
  clauses: [
    'PARTITION BY toDate(arrived)',
    'ORDER BY (arrived, project)',
    'TTL toDateTime(arrived) + INTERVAL 30 DAY',
  ],
  settings: [
    'ttl_only_drop_parts = 1',
    'non_replicated_deduplication_window = 10000',
    'fsync_after_insert = 1',
    'fsync_part_directory = 1',
  ],
  shardBy: 'sipHash64(session_id)',
} as const satisfies TableDefinition

/**
 * The few sessions longer than {@link LONG_SESSION_MS}, among all that arrived before `max(last)` of the rows of project 0,
 * which merge into the latest. Queries look for the events of all other sessions only near their own time range.
 */
export const LONG_SESSIONS = {
  name: 'long_sessions',
  columns: `project UInt32,
  session_id UUID,
  first SimpleAggregateFunction(min, DateTime64(3, 'UTC')),
  last SimpleAggregateFunction(max, DateTime64(3, 'UTC'))`,
  engine: 'AggregatingMergeTree',
  clauses: ['ORDER BY (project, session_id)'],
  settings: ['fsync_after_insert = 1', 'fsync_part_directory = 1'],
  shardBy: 'sipHash64(session_id)',
} as const satisfies TableDefinition

/** Reads INSERTs into `sessions`: one row per session for each INSERT of events. */
export const createSessionArrivalsView = ({ on, local }: Layout): string => `
CREATE MATERIALIZED VIEW IF NOT EXISTS arrivals_of_sessions${on} TO ${local('session_arrivals')} AS
SELECT now64(3, 'UTC') AS arrived, project, session_id
FROM ${local('sessions')}`

/**
 * Runs within every INSERT of events. A session may have events on several shards; its rows are on one, so that the fold
 * reads all of them.
 */
export const createSessionsView = ({ on, local }: Layout): string => `
CREATE MATERIALIZED VIEW IF NOT EXISTS sessions_of_events${on} TO sessions AS
SELECT project, session_id, min(time) AS first, max(time) AS last
FROM ${local('events')}
GROUP BY project, session_id`

/** Sessions of events from before the view existed. */
export const SESSIONS_BACKFILL = `
INSERT INTO sessions
SELECT project, session_id, min(time) AS first, max(time) AS last
FROM events
GROUP BY project, session_id
SETTINGS max_bytes_before_external_group_by = 500000000, async_insert = 0`

/** Maximum arrivals per fold; the next one continues from there. */
const ARRIVALS_PER_FOLD = 1_000_000

const covered = ({ local }: Layout): string =>
  `(SELECT max(last) FROM ${local('long_sessions')} WHERE project = 0)`

/** The arrival of the last of {@link ARRIVALS_PER_FOLD}; NULL when there are fewer. */
const enough = (layout: Layout): string => `(
    SELECT arrived FROM ${layout.local('session_arrivals')} WHERE arrived >= ${covered(layout)} ORDER BY arrived LIMIT 1 OFFSET ${ARRIVALS_PER_FOLD}
  )`

/**
 * Finds long sessions among the arrivals since the last fold. The row of project 0 records until when arrivals are covered:
 * not beyond the start of a running INSERT, whose rows become visible after their arrival time, minus two seconds for a
 * clock that is set back. It is written last.
 */
export const createLongSessionsFold = (layout: Layout): string => `
CREATE MATERIALIZED VIEW IF NOT EXISTS long_sessions_fold${layout.on}
REFRESH EVERY 30 SECOND APPEND TO ${layout.local('long_sessions')} AS
SELECT project, session_id, first, last
FROM (
  SELECT project, session_id, min(first) AS first, max(last) AS last
  FROM ${layout.local('sessions')}
  WHERE (project, session_id) IN (
    SELECT project, session_id
    FROM ${layout.local('session_arrivals')}
    WHERE arrived >= ${covered(layout)} AND arrived <= ifNull(${enough(layout)}, now64(3, 'UTC') + INTERVAL 1 DAY)
  )
  GROUP BY project, session_id
  HAVING last > first + toIntervalMillisecond(${LONG_SESSION_MS})
  UNION ALL
  SELECT
    toUInt32(0) AS project,
    toUUID('00000000-0000-0000-0000-000000000000') AS session_id,
    least(
      ifNull(${enough(layout)} + INTERVAL 1 MILLISECOND, now64(3, 'UTC')),
      now64(3, 'UTC') - INTERVAL 2 SECOND - toIntervalMillisecond((
        ${layout.insertSeconds}
      ))
    ) AS first,
    first AS last
)
ORDER BY project DESC
SETTINGS max_bytes_before_external_group_by = 200000000`
