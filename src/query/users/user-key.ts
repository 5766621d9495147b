import { type Sql, sql } from '../sql/sql.ts'

/**
 * The canonical user of the row's event, as a hash: the identified user whose profile id or merged anonymous id the
 * distinct id is, else the distinct id itself. Every number of users counts these.
 */
export const USER_KEY: Sql = sql`dictGetOrDefault('identities', 'user_hash', user_hash, user_hash)`
