import type { Layout, TableDefinition } from './layout.ts'

/** The day of {@link DAY_ARRIVALS} that counts erasures instead of events: no event can have it. */
export const ERASURES_DAY = '2149-06-06'

/** How long cells are used after they were computed; they are stored for a day longer. */
export const CELLS_HOURS = 48

/**
 * How many events have arrived for each day, copies included, and when the last one did. Every INSERT of events of a day changes its
 * number, and no clock does: what was computed from the day is valid as long as the number is the same.
 */
export const DAY_ARRIVALS = {
  name: 'day_arrivals',
  columns: `project UInt32,
  day Date,
  arrivals SimpleAggregateFunction(sum, UInt64),
  arrived SimpleAggregateFunction(max, DateTime64(3, 'UTC'))`,
  engine: 'AggregatingMergeTree',
  clauses: ['ORDER BY (project, day)'],
  settings: ['fsync_after_insert = 1', 'fsync_part_directory = 1'],
  shardBy: 'sipHash64(project)',
} as const satisfies TableDefinition

/** Runs within every INSERT of events. */
export const createDayArrivalsView = ({ on, local }: Layout): string => `
CREATE MATERIALIZED VIEW IF NOT EXISTS day_arrivals_of_events${on} TO ${local('day_arrivals')} AS
SELECT project, toDate(time) AS day, count() AS arrivals, now64(3, 'UTC') AS arrived
FROM ${local('events')}
GROUP BY project, day`

/**
 * Which days of a question (`spec`) have their cells in {@link DAY_CELLS}, and the version of each day from which they were computed. A
 * row is written after all cells of its fill.
 */
export const DAY_FILLS = {
  name: 'day_fills',
  columns: `project UInt32,
  spec UUID,
  fill UUID,
  erasures UInt64,
  days Array(Date),
  versions Array(String),
  filled DateTime64(3, 'UTC') DEFAULT now64(3)`,
  engine: 'MergeTree',
  clauses: [
    'PARTITION BY toDate(filled)',
    'ORDER BY (project, spec)',
    `TTL toDateTime(filled) + INTERVAL ${CELLS_HOURS} HOUR`,
  ],
  settings: ['ttl_only_drop_parts = 1', 'fsync_after_insert = 1', 'fsync_part_directory = 1'],
  shardBy: 'sipHash64(spec)',
} as const satisfies TableDefinition

/**
 * What a question needs of a day: one row for each combination of breakdown values and bucket, with the numbers that add up and the
 * hashes of the ids that count as users. Ids are as sent: a question maps them to users.
 */
export const DAY_CELLS = {
  name: 'day_cells',
  columns: `project UInt32,
  spec UUID,
  day Date,
  fill UUID,
  erasures UInt64,
  keys Array(String),
  bucket Int64,
  numbers Array(Nullable(Float64)),
  users Array(Array(UInt64)),
  filled DateTime64(3, 'UTC') DEFAULT now64(3)`,
  engine: 'MergeTree',
  clauses: [
    'PARTITION BY toDate(filled)',
    'ORDER BY (project, spec, day, fill)',
    `TTL toDateTime(filled) + INTERVAL ${CELLS_HOURS + 24} HOUR`,
  ],
  settings: [
    'ttl_only_drop_parts = 1',
    'fsync_after_insert = 1',
    'fsync_part_directory = 1',
    'old_parts_lifetime = 60',
    'cleanup_delay_period = 20',
    'max_cleanup_delay_period = 20',
    'cleanup_delay_period_random_add = 0',
  ],
  shardBy: 'sipHash64(fill, day, bucket)',
} as const satisfies TableDefinition
