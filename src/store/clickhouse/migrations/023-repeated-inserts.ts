import type { Layout } from './layout.ts'

const TABLES = [
  'events',
  'users',
  'sessions',
  'session_arrivals',
  'long_sessions',
  'visits',
  'visit_coverage',
  'profiles',
  'profile_deletions',
  'identity_claims',
  'traits',
  'device_users',
  'deliveries',
  'cohort_members',
  'imported_days',
  'names',
  'name_days',
  'ingestion_warnings',
  'day_arrivals',
  'day_fills',
  'day_cells',
  'erasure_ids',
  'erasure_sessions',
]

/**
 * Tables store an INSERT that repeats an earlier one. The engine records an INSERT before it has the rows: one that is retried while the
 * first still runs, or after a crash in between, would be discarded although its rows are missing. Keys collapse copies (docs/adr/0005).
 *
 * This is a setting of tables because that of statements, `insert_deduplicate`, has no effect in ClickHouse 26.7: a setting that earlier
 * releases reject has replaced it. As long as one table behind an INSERT has a window, the engine also hashes every value of the INSERT.
 */
export const storeRepeatedInserts = ({ on, local, deduplicationWindow }: Layout): readonly string[] =>
  TABLES.map((table) => `ALTER TABLE ${local(table)}${on} MODIFY SETTING ${deduplicationWindow} = 0`)
