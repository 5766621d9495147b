import type { TableDefinition } from './layout.ts'

/**
 * What another product counted on a day for a value of a dimension, by the number of the dimension in the interface; 0 is the
 * whole day. The key contains the batch, so that a batch that is sent again replaces its rows, and rows of several batches add
 * up. Old parts are removed as early as those of other tables from which rows are deleted.
 */
export const IMPORTED_DAYS = {
  name: 'imported_days',
  columns: `project UInt32,
  import_id UUID,
  dimension UInt8,
  day Date,
  value String CODEC(ZSTD(1)),
  batch UInt16,
  visitors UInt64,
  visits Nullable(UInt64),
  page_views Nullable(UInt64),
  bounces Nullable(UInt64),
  visit_seconds Nullable(UInt64),
  events Nullable(UInt64)`,
  engine: 'ReplacingMergeTree',
  clauses: ['ORDER BY (project, dimension, day, import_id, value, batch)'],
  settings: [
    'fsync_after_insert = 1',
    'fsync_part_directory = 1',
    'old_parts_lifetime = 60',
    'cleanup_delay_period = 20',
    'max_cleanup_delay_period = 20',
    'cleanup_delay_period_random_add = 0',
  ],
  shardBy: 'sipHash64(project, value)',
} as const satisfies TableDefinition
