import { type Sql, sql } from '../sql/sql.ts'

/**
 * The canonical user of the row's event, as a hash: the identified user whose profile id or merged anonymous id is the
 * distinct id, else the distinct id itself. Every user count counts these.
 */
export const USER_KEY: Sql = sql`dictGetOrDefault('identities', 'user_hash', user_hash, user_hash)`

/**
 * The canonical users of an array of `user_hash`, possibly with duplicates. When ids are grouped first, each is looked
 * up once instead of once per event: counting the users of 20 million events took a quarter less time.
 */
export function canonicalUsers(hashes: Sql): Sql {
  return sql`arrayMap(hash -> dictGetOrDefault('identities', 'user_hash', hash, hash), ${hashes})`
}
