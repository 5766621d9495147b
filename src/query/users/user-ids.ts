import type { ProjectId } from '../../contract/ids.ts'
import { stringCodec, uint32Codec } from '../sql/codec.ts'
import { scopedTable } from '../sql/scoped-table.ts'
import { param, type Sql, sql } from '../sql/sql.ts'

/** A user of a project, by any of their ids. */
export interface UserId {
  readonly projectId: ProjectId
  readonly distinctId: string
}

/** The hash of a distinct id, as stored with events. */
export function userHash({ projectId, distinctId }: UserId): Sql {
  return sql`sipHash64(${param(uint32Codec, projectId)}, ${param(stringCodec, distinctId)})`
}

/** The canonical user of a distinct id, as a hash. */
export function canonicalUser(user: UserId): Sql {
  const hash = userHash(user)
  return sql`dictGetOrDefault('identities', 'user_hash', ${hash}, ${hash})`
}

/**
 * `(SELECT ...)`: the hashes of every id that may belong to the user: their own, their profile id, and the anonymous
 * ids that they claimed. Another user may have claimed one of those first, so also check the canonical user of each
 * event.
 */
export function userHashes(user: UserId): Sql {
  const { projectId } = user
  const canonical = canonicalUser(user)
  return sql`(SELECT arrayJoin([${canonical}, ${userHash(user)}]) UNION ALL SELECT id_hash ${scopedTable('identity_claims', projectId)} AND user_hash = ${canonical} UNION ALL SELECT sipHash64(project, toString(profile_id)) ${scopedTable('profiles', projectId)} AND user_hash = ${canonical})`
}
