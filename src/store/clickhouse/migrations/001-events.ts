import { PROMOTED_ENTRIES, type PromotedProperty } from '../../../contract/promoted-properties.ts'

/** Promoted properties with so many different texts that a dictionary does not pay. */
const HIGH_CARDINALITY: ReadonlySet<PromotedProperty> = new Set([
  '$url',
  '$pathname',
  '$title',
  '$referrer',
  '$utmTerm',
  '$utmContent',
])

const promotedColumns = PROMOTED_ENTRIES.map(([property, column]) =>
  HIGH_CARDINALITY.has(property) ? `${column} String CODEC(ZSTD(1))` : `${column} LowCardinality(String)`,
)

/**
 * The facts. The sorting key holds the whole identity of an event, so that copies of it collapse (reads use FINAL until
 * a merge did it); the date comes before the kind because FINAL reads whole key ranges. docs/adr/0002 has the numbers.
 */
export const EVENTS = `
CREATE TABLE IF NOT EXISTS events (
  project UInt32,
  kind LowCardinality(String),
  time DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD(1)),
  distinct_id String CODEC(ZSTD(1)),
  user_hash UInt64 MATERIALIZED sipHash64(project, distinct_id),
  session_id UUID,
  event_id UUID,
  cookieless Bool,
  ${promotedColumns.join(',\n  ')},
  strings Map(String, String) CODEC(ZSTD(1)),
  ints Map(String, Int64) CODEC(ZSTD(1)),
  doubles Map(String, Float64) CODEC(ZSTD(1)),
  bools Map(String, Bool) CODEC(ZSTD(1)),
  times Map(String, DateTime64(3, 'UTC')) CODEC(ZSTD(1)),
  ingested DateTime64(3, 'UTC') DEFAULT now64(3) CODEC(DoubleDelta, ZSTD(1))
)
ENGINE = ReplacingMergeTree(ingested)
PARTITION BY toYYYYMM(time)
ORDER BY (project, toDate(time), kind, user_hash, time, event_id)
SETTINGS
  non_replicated_deduplication_window = 10000,
  fsync_after_insert = 1,
  fsync_part_directory = 1,
  min_age_to_force_merge_seconds = 3600,
  min_age_to_force_merge_on_partition_only = 1`
