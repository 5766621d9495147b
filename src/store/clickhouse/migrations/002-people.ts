import type { Layout, TableDefinition } from './layout.ts'

/**
 * Who was identified. Every Identify of a person writes the same key; its earliest receive time survives, the latest one
 * with traits and the latest one, in whatever order rows arrive. `user_hash` is the hash of the external id, which is
 * what events of the person have.
 */
export const PROFILES = {
  name: 'profiles',
  columns: `project UInt32,
  user_hash UInt64,
  external_id String,
  profile_id UUID,
  created SimpleAggregateFunction(min, DateTime64(3, 'UTC')),
  updated SimpleAggregateFunction(max, DateTime64(3, 'UTC')),
  identified SimpleAggregateFunction(max, DateTime64(3, 'UTC'))`,
  engine: 'AggregatingMergeTree',
  clauses: ['ORDER BY (project, user_hash, external_id, profile_id)'],
  settings: [
    'non_replicated_deduplication_window = 10000',
    'fsync_after_insert = 1',
    'fsync_part_directory = 1',
  ],
  shardBy: 'user_hash',
} as const satisfies TableDefinition

/** Who said that an anonymous id is theirs, and when first. The first claim wins; readers choose among the rows. */
export const IDENTITY_CLAIMS = {
  name: 'identity_claims',
  columns: `project UInt32,
  id_hash UInt64,
  anonymous_id String,
  external_id String,
  user_hash UInt64,
  claimed SimpleAggregateFunction(min, DateTime64(3, 'UTC'))`,
  engine: 'AggregatingMergeTree',
  clauses: ['ORDER BY (project, id_hash, anonymous_id, external_id, user_hash)'],
  settings: [
    'non_replicated_deduplication_window = 10000',
    'fsync_after_insert = 1',
    'fsync_part_directory = 1',
  ],
  shardBy: 'id_hash',
} as const satisfies TableDefinition

/** Traits of identified users as JSON text, one row a key; the greatest version is the last write. */
export const TRAITS = {
  name: 'traits',
  columns: `project UInt32,
  user_hash UInt64,
  key String,
  value String CODEC(ZSTD(1)),
  version UInt64`,
  engine: 'ReplacingMergeTree(version)',
  clauses: ['ORDER BY (project, user_hash, key)'],
  settings: [
    'non_replicated_deduplication_window = 10000',
    'fsync_after_insert = 1',
    'fsync_part_directory = 1',
  ],
  shardBy: 'user_hash',
} as const satisfies TableDefinition

/** Where a dictionary's query runs: the arguments of `SOURCE(CLICKHOUSE(...))`, and a quoted database. */
export interface DictionaryPlace {
  readonly source: string
  readonly database: string
}

/**
 * Other names of identified users: the hash of a merged anonymous id or of a profile id → the user's hash. An id that is
 * somebody's external id stays theirs, whoever claims it. Read with `dictGetOrDefault`. `identity-refresher.ts` loads it again
 * a few seconds after rows came.
 */
export function identitiesDictionary(
  { source, database }: DictionaryPlace,
  { on, notIn }: Pick<Layout, 'notIn' | 'on'>,
): string {
  return `
CREATE OR REPLACE DICTIONARY identities${on} (
  id_hash UInt64,
  user_hash UInt64
)
PRIMARY KEY id_hash
SOURCE(CLICKHOUSE(${source} QUERY $query$
  SELECT id_hash, argMin(user_hash, (claimed, external_id)) AS user_hash
  FROM ${database}.identity_claims
  WHERE id_hash ${notIn} (SELECT user_hash FROM ${database}.profiles)
  GROUP BY id_hash
  UNION ALL
  SELECT sipHash64(project, toString(profile_id)) AS id_hash, any(user_hash) AS user_hash
  FROM ${database}.profiles
  GROUP BY id_hash
$query$))
LAYOUT(HASHED())
LIFETIME(MIN 30 MAX 60)`
}

/** Every distinct id that sent events, cookieless ones aside, with the time of its first and its last one. */
export const USERS = {
  name: 'users',
  columns: `project UInt32,
  user_hash UInt64,
  distinct_id String CODEC(ZSTD(1)),
  first_seen SimpleAggregateFunction(min, DateTime64(3, 'UTC')),
  last_seen SimpleAggregateFunction(max, DateTime64(3, 'UTC'))`,
  engine: 'AggregatingMergeTree',
  clauses: ['ORDER BY (project, user_hash, distinct_id)'],
  settings: [
    'non_replicated_deduplication_window = 10000',
    'fsync_after_insert = 1',
    'fsync_part_directory = 1',
  ],
  shardBy: 'user_hash',
} as const satisfies TableDefinition

/** Fills `users`, of which the same shard has the rows. Rows that are inserted again change nothing: earliest and latest stay what they are. */
export const createUsersView = ({ on, local }: Layout): string => `
CREATE MATERIALIZED VIEW IF NOT EXISTS users_of_events${on} TO ${local('users')} AS
SELECT
  project,
  sipHash64(project, distinct_id) AS user_hash,
  distinct_id,
  min(time) AS first_seen,
  max(time) AS last_seen
FROM ${local('events')}
WHERE NOT cookieless
GROUP BY project, distinct_id`

/** Profiles that were deleted, by the hash of their user. One that is identified later is back. */
export const PROFILE_DELETIONS = {
  name: 'profile_deletions',
  columns: `project UInt32,
  user_hash UInt64,
  deleted SimpleAggregateFunction(max, DateTime64(3, 'UTC'))`,
  engine: 'AggregatingMergeTree',
  clauses: ['ORDER BY (project, user_hash)'],
  settings: ['fsync_after_insert = 1', 'fsync_part_directory = 1'],
  shardBy: 'user_hash',
} as const satisfies TableDefinition
