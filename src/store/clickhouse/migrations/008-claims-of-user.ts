import type { Layout } from './layout.ts'

/** Finds the claims of one user; the table is sorted by claimed id, so that without this index queries would scan it. */
export const createClaimsIndex = ({ on, local }: Layout): readonly string[] => [
  `ALTER TABLE ${local('identity_claims')}${on} ADD INDEX IF NOT EXISTS claims_of_user user_hash TYPE bloom_filter(0.01) GRANULARITY 1`,
  `ALTER TABLE ${local('identity_claims')}${on} MATERIALIZE INDEX claims_of_user`,
]
