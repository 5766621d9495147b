import type { TableDefinition } from './layout.ts'

/**
 * Delivery events of push notifications. The key is the identity of an event, so that copies collapse; it starts with the
 * campaign, by which events are counted. `device_hash` lets a deletion name devices without their ids. Old parts are
 * removed as early as those of other tables with rows of users.
 */
export const DELIVERIES = {
  name: 'deliveries',
  columns: `project UInt32,
  campaign_id String,
  event_type LowCardinality(String),
  message_id String,
  time DateTime64(3, 'UTC'),
  platform LowCardinality(String),
  device_id String,
  device_hash UInt64 MATERIALIZED sipHash64(project, device_id),
  metadata Map(String, String),
  recorded DateTime64(3, 'UTC') DEFAULT now64(3)`,
  engine: 'ReplacingMergeTree',
  clauses: ['ORDER BY (project, campaign_id, event_type, message_id)'],
  settings: [
    'fsync_after_insert = 1',
    'fsync_part_directory = 1',
    'old_parts_lifetime = 60',
    'cleanup_delay_period = 20',
    'max_cleanup_delay_period = 20',
    'cleanup_delay_period_random_add = 0',
  ],
  shardBy: 'sipHash64(project, message_id)',
} as const satisfies TableDefinition
