import type { Layout, TableDefinition } from './layout.ts'

/**
 * Identify calls. The table stores nothing: the views below write its rows to other tables. `received` is microseconds since
 * the Unix epoch. The rows of each view merge to the earliest or the latest value, so that a retry has no effect.
 */
export const createIdentifies = ({ on }: Layout): string => `
CREATE TABLE IF NOT EXISTS identifies${on} (
  project UInt32,
  external_id String,
  profile_id UUID,
  anonymous_id String,
  device_id String,
  traits Map(String, String),
  received Int64
)
ENGINE = Null`

const RECEIVED = `fromUnixTimestamp64Milli(intDiv(received, 1000), 'UTC')`

/** `updated` stays at the epoch until a call has traits. */
export const createProfilesView = ({ on }: Layout): string => `
CREATE MATERIALIZED VIEW IF NOT EXISTS profiles_of_identifies${on} TO profiles AS
SELECT
  project,
  sipHash64(project, external_id) AS user_hash,
  external_id,
  profile_id,
  ${RECEIVED} AS created,
  if(empty(traits), fromUnixTimestamp64Milli(0, 'UTC'), ${RECEIVED}) AS updated,
  ${RECEIVED} AS identified
FROM identifies`

export const createIdentityClaimsView = ({ on }: Layout): string => `
CREATE MATERIALIZED VIEW IF NOT EXISTS identity_claims_of_identifies${on} TO identity_claims AS
SELECT
  project,
  sipHash64(project, anonymous_id) AS id_hash,
  anonymous_id,
  external_id,
  sipHash64(project, external_id) AS user_hash,
  ${RECEIVED} AS claimed
FROM identifies
WHERE anonymous_id != ''`

/** The version is the receive time, then bits of the value: of two simultaneous values, the same one wins on every node. */
export const createTraitsView = ({ on }: Layout): string => `
CREATE MATERIALIZED VIEW IF NOT EXISTS traits_of_identifies${on} TO traits AS
SELECT
  project,
  sipHash64(project, external_id) AS user_hash,
  key,
  value,
  bitOr(bitShiftLeft(toUInt64(received), 12), bitAnd(sipHash64(value), 4095)) AS version
FROM identifies
ARRAY JOIN mapKeys(traits) AS key, mapValues(traits) AS value`

/** Users of devices: the one identified last on the device. */
export const DEVICE_USERS = {
  name: 'device_users',
  columns: `project UInt32,
  device_id String,
  user_hash UInt64,
  version UInt64`,
  engine: 'ReplacingMergeTree(version)',
  clauses: ['ORDER BY (project, device_id)'],
  settings: [
    'non_replicated_deduplication_window = 10000',
    'fsync_after_insert = 1',
    'fsync_part_directory = 1',
  ],
  shardBy: 'sipHash64(project, device_id)',
} as const satisfies TableDefinition

export const createDeviceUsersView = ({ on }: Layout): string => `
CREATE MATERIALIZED VIEW IF NOT EXISTS device_users_of_identifies${on} TO device_users AS
SELECT
  project,
  device_id,
  sipHash64(project, external_id) AS user_hash,
  bitOr(bitShiftLeft(toUInt64(received), 12), bitAnd(sipHash64(external_id), 4095)) AS version
FROM identifies
WHERE device_id != ''`
