import type { Layout, TableDefinition } from './layout.ts'

/**
 * Identified users. Every Identify call of a user writes the same key; whatever the order of rows, merges keep the earliest
 * receive time (`created`), the latest one with traits (`updated`) and the latest one (`identified`). `user_hash` is the
 * hash of the external id, as in the events of the user.
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

/** Claims of anonymous ids by users, each with its first time. The earliest claim wins; queries choose among the rows. */
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

/** Traits of identified users as JSON text, one row per key; the greatest version is the last write. */
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

/** Connection of a dictionary's query: the arguments of `SOURCE(CLICKHOUSE(...))`, and a quoted database. */
export interface DictionaryLocation {
  readonly source: string
  readonly database: string
}

/**
 * Aliases of identified users: the hash of a merged anonymous id or of a profile id → the user's hash. A claim of an id that
 * is a user's external id has no effect. Read with `dictGetOrDefault`. `identity-refresher.ts` reloads it a few seconds
 * after a change.
 *
 * A row of each project is no alias, but the checksum of its aliases: computed from the rows that are loaded with it, it is another one as soon as
 * one of them is. One more row tells that there are such. Hashes of ids are of another function, so that none is such a key but by chance.
 */
export function identitiesDictionary(
  { source, database }: DictionaryLocation,
  { on, notIn }: Pick<Layout, 'notIn' | 'on'>,
): string {
  return `
CREATE OR REPLACE DICTIONARY identities${on} (
  id_hash UInt64,
  user_hash UInt64
)
PRIMARY KEY id_hash
SOURCE(CLICKHOUSE(${source} QUERY $query$
  SELECT tupleElement(alias, 1) AS id_hash, tupleElement(alias, 2) AS user_hash
  FROM (
    SELECT arrayJoin(arrayPushBack(groupArray((id_hash, user_hash)), (cityHash64('checksum of aliases', project), sum(sipHash64(id_hash, user_hash))))) AS alias
    FROM (
      SELECT project, id_hash, argMin(user_hash, (claimed, external_id)) AS user_hash
      FROM ${database}.identity_claims
      WHERE id_hash ${notIn} (SELECT user_hash FROM ${database}.profiles)
      GROUP BY project, id_hash
      UNION ALL
      SELECT project, sipHash64(project, toString(profile_id)) AS id_hash, any(user_hash) AS user_hash
      FROM ${database}.profiles
      GROUP BY project, id_hash
    )
    GROUP BY project
    UNION ALL
    SELECT (cityHash64('checksums of aliases'), toUInt64(1))
  )
$query$))
LAYOUT(HASHED())
LIFETIME(MIN 30 MAX 60)`
}

/** Every distinct id with events that are not cookieless, and the times of its first and last event. */
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

/** Fills `users`, whose rows are on the same shard. Repeated inserts have no effect on the earliest and latest times. */
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

/** Deleted profiles, by the hash of their user. A later Identify call restores a profile. */
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
