import type { Layout, TableDefinition } from './layout.ts'

/**
 * Whose rows an erasure takes, as hashes only. Statements that delete name this table instead of the person: the engine
 * keeps their text. Emptied when the erasure is over; the rows of one that nobody finishes end by themselves.
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

/** Sessions that had events of somebody who is erased. */
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

/** Tables with rows of people. */
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
 * How long the files of rows that were deleted, or merged into others, stay on disk; the default of a server is eight
 * minutes. Long enough for the operating system to write the new files.
 */
const OLD_PARTS_SECONDS = 60

/** How often the engine looks for them; by default a table that rests is looked at every five minutes. */
const CLEANUP_SECONDS = 20

/** Bounds how long erased rows can be found on disk. */
export const limitOldParts = ({ on, local }: Layout): readonly string[] =>
  TABLES.map(
    (table) =>
      `ALTER TABLE ${local(table)}${on} MODIFY SETTING old_parts_lifetime = ${OLD_PARTS_SECONDS}, cleanup_delay_period = ${CLEANUP_SECONDS}, max_cleanup_delay_period = ${CLEANUP_SECONDS}, cleanup_delay_period_random_add = 0`,
  )
