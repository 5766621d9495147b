import { WARNING_DAYS } from '../../../contract/ingestion-warnings.ts'
import type { TableDefinition } from './layout.ts'

/**
 * What ingestion dropped, changed and refused, by hour. A writer is one run of an edge: it writes its count of the hour so far again
 * and again, so that a repeated INSERT has no effect, and the greatest count of each writer is the one that counts.
 */
export const INGESTION_WARNINGS = {
  name: 'ingestion_warnings',
  columns: `project UInt32,
  hour DateTime('UTC'),
  dialect LowCardinality(String),
  reason LowCardinality(String),
  sdk String,
  sdk_version String,
  writer String,
  count SimpleAggregateFunction(max, UInt64),
  first SimpleAggregateFunction(min, DateTime64(3, 'UTC')),
  last SimpleAggregateFunction(max, DateTime64(3, 'UTC')),
  sample SimpleAggregateFunction(max, String)`,
  engine: 'AggregatingMergeTree',
  clauses: [
    'ORDER BY (project, hour, dialect, reason, sdk, sdk_version, writer)',
    `TTL hour + toIntervalDay(${WARNING_DAYS})`,
  ],
  settings: [],
  shardBy: 'sipHash64(project)',
} as const satisfies TableDefinition
