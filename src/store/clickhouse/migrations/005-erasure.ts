import type { Layout, TableDefinition } from './layout.ts'

/**
 * The ids whose rows an erasure deletes, as hashes. DELETE statements refer to this table instead of naming the user, because
 * the engine stores their text. Emptied at the end of the erasure; rows of an abandoned one expire.
 */
export const ERASURE_IDS = {
  name: 'erasure_ids',
  columns: `project UInt32,
  request UUID,
  id_hash UInt64,
  added DateTime DEFAULT now()`,
  engine: 'ReplacingMergeTree',
  clauses: ['ORDER BY (project, request, id_hash)', 'TTL added + INTERVAL 30 DAY'],
  settings: ['fsync_after_insert = 1', 'fsync_part_directory = 1'],
  shardBy: 'id_hash',
} as const satisfies TableDefinition

/** Sessions with events of an erased user. */
export const ERASURE_SESSIONS = {
  name: 'erasure_sessions',
  columns: `project UInt32,
  request UUID,
  session_id UUID,
  added DateTime DEFAULT now()`,
  engine: 'ReplacingMergeTree',
  clauses: ['ORDER BY (project, request, session_id)', 'TTL added + INTERVAL 30 DAY'],
  settings: ['fsync_after_insert = 1', 'fsync_part_directory = 1'],
  shardBy: 'sipHash64(session_id)',
} as const satisfies TableDefinition

/** Tables with rows of users. */
const TABLES = [
  'events',
  'users',
  'sessions',
  'session_arrivals',
  'long_sessions',
  'profiles',
  'identity_claims',
  'traits',
  'device_users',
  'profile_deletions',
  'erasure_ids',
  'erasure_sessions',
]

/**
 * How long the files of deleted or merged parts stay on disk; a server's default is eight minutes. Long enough for the
 * operating system to write the new files.
 */
const OLD_PARTS_SECONDS = 60

/** Interval of the engine's cleanup; the default for an idle table is five minutes. */
const CLEANUP_SECONDS = 20

/** Bounds how long erased rows can be found on disk. */
export const limitOldParts = ({ on, local }: Layout): readonly string[] =>
  TABLES.map(
    (table) =>
      `ALTER TABLE ${local(table)}${on} MODIFY SETTING old_parts_lifetime = ${OLD_PARTS_SECONDS}, cleanup_delay_period = ${CLEANUP_SECONDS}, max_cleanup_delay_period = ${CLEANUP_SECONDS}, cleanup_delay_period_random_add = 0`,
  )
