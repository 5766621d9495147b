import type { Layout } from './layout.ts'

const RECEIVED = `fromUnixTimestamp64Milli(intDiv(received, 1000), 'UTC')`
const NEVER = `fromUnixTimestamp64Milli(0, 'UTC')`

/**
 * Claims that an event implies by having two ids. They make a user known and merge the ids, but are no Identify calls: `identified`
 * stays at the epoch, so that an event does not restore a deleted profile.
 */
export const addImpliedClaims = ({ on }: Layout): readonly string[] => [
  `ALTER TABLE identifies${on} ADD COLUMN IF NOT EXISTS implied UInt8 AFTER removed_traits`,
  `
ALTER TABLE profiles_of_identifies${on} MODIFY QUERY
SELECT
  project,
  sipHash64(project, external_id) AS user_hash,
  external_id,
  profile_id,
  ${RECEIVED} AS created,
  if(empty(traits) AND empty(removed_traits), ${NEVER}, ${RECEIVED}) AS updated,
  if(implied, ${NEVER}, ${RECEIVED}) AS identified
FROM identifies`,
]
