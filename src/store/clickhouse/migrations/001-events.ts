import { PROMOTED_ENTRIES, type PromotedProperty } from '../../../contract/promoted-properties.ts'
import { mapColumnType, PROPERTY_TYPE_NAMES, PROPERTY_TYPES } from '../../../contract/property-types.ts'
import type { TableDefinition } from './layout.ts'

/**
 * Promoted properties with few distinct values that nearly every event has and breakdowns often use: a dictionary makes
 * grouping by them faster. In other columns, especially empty ones, it would only slow down merges.
 */
const WITH_DICTIONARY: ReadonlySet<PromotedProperty> = new Set([
  '$channel',
  '$browser',
  '$os',
  '$deviceType',
  '$country',
  '$language',
])

const promotedColumns = PROMOTED_ENTRIES.map(
  ([property, column]) => `${column} ${WITH_DICTIONARY.has(property) ? 'LowCardinality(String)' : 'String'}`,
)

const mapColumns = PROPERTY_TYPE_NAMES.map((type) => `${PROPERTY_TYPES[type].column} ${mapColumnType(type)}`)

/**
 * Monthly partitions from 2020 to 2035, so that old data is no longer merged; earlier and later times share one partition
 * each. Senders choose the time of an event, and every INSERT writes a part for each partition that it touches: their
 * number must be bounded. Time ranges are pruned by the extent of each part and by the key, not by the partition.
 */
const PARTITION =
  "toYYYYMM(least(greatest(time, toDateTime64('2019-12-31', 3, 'UTC')), toDateTime64('2036-01-01', 3, 'UTC')))"

/**
 * Smaller parts store all columns in one file: parts of INSERTs are smaller, and are synced in 12 calls instead of 196.
 * The size is before compression, about 250 bytes per event.
 */
const WIDE_PART_BYTES_MIN = 64 * 1024 * 1024

/**
 * Reading an isolated event, such as those of one user, reads a granule of each column, and at least a block. A quarter of
 * the engine's defaults halves that cost (docs/adr/0002 has the figures) for 1.5 % more disk space; scans cost the same.
 * A table created with the defaults keeps them: its granules cannot be changed.
 */
const GRANULE_ROWS = 2048
const BLOCK_BYTES_MIN = 16 * 1024

/**
 * The events. The index finds those of one user, which may be in every day and kind. The sorting key contains the whole
 * identity of an event, so that merges, and FINAL until then, collapse copies; the date comes before the kind because FINAL
 * reads whole key ranges. docs/adr/0002 has the numbers.
 */
export const EVENTS = {
  name: 'events',
  columns: `project UInt32,
  kind LowCardinality(String),
  time DateTime64(3, 'UTC') CODEC(DoubleDelta, LZ4),
  distinct_id String,
  user_hash UInt64 MATERIALIZED sipHash64(project, distinct_id),
  session_id UUID,
  event_id UUID,
  cookieless Bool,
  ${promotedColumns.join(',\n  ')},
  ${mapColumns.join(',\n  ')},
  ingested DateTime64(3, 'UTC') DEFAULT now64(3) CODEC(DoubleDelta, LZ4),
  INDEX user_hash_bloom user_hash TYPE bloom_filter(0.01) GRANULARITY 1`,
  engine: 'ReplacingMergeTree(ingested)',
  clauses: [`PARTITION BY ${PARTITION}`, 'ORDER BY (project, toDate(time), kind, user_hash, time, event_id)'],
  settings: [
    `index_granularity = ${GRANULE_ROWS}`,
    `min_compress_block_size = ${BLOCK_BYTES_MIN}`,
    `min_bytes_for_wide_part = ${WIDE_PART_BYTES_MIN}`,
    'non_replicated_deduplication_window = 10000',
    'fsync_after_insert = 1',
    'fsync_part_directory = 1',
    'ttl_only_drop_parts = 1',
    'min_age_to_force_merge_seconds = 3600',
    'min_age_to_force_merge_on_partition_only = 1',
  ],
  shardBy: 'sipHash64(project, distinct_id)',
} as const satisfies TableDefinition
