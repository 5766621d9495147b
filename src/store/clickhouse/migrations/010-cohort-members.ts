import type { TableDefinition } from './layout.ts'

/**
 * The ids of static cohorts; of several rows of an id the greatest version decides whether it is a member. Old parts are
 * removed as early as those of other tables with rows of users.
 */
export const COHORT_MEMBERS = {
  name: 'cohort_members',
  columns: `project UInt32,
  cohort UUID,
  distinct_id String CODEC(ZSTD(1)),
  id_hash UInt64 MATERIALIZED sipHash64(project, distinct_id),
  is_member Bool,
  version UInt64,
  changed DateTime64(3, 'UTC') DEFAULT now64(3)`,
  engine: 'ReplacingMergeTree(version)',
  clauses: ['ORDER BY (project, cohort, id_hash, distinct_id)'],
  settings: [
    'fsync_after_insert = 1',
    'fsync_part_directory = 1',
    'old_parts_lifetime = 60',
    'cleanup_delay_period = 20',
    'max_cleanup_delay_period = 20',
    'cleanup_delay_period_random_add = 0',
  ],
  shardBy: 'sipHash64(project, distinct_id)',
} as const satisfies TableDefinition
