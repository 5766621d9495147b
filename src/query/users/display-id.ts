import type { ProjectId } from '../../contract/ids.ts'
import { scopedTable } from '../sql/scoped-table.ts'
import { type Sql, sql } from '../sql/sql.ts'
import { USER_KEY } from './user-key.ts'

/** `... AS user, ... AS id`: selects the canonical user of the group and one of their distinct ids. Group by `user`. */
export const USER_COLUMNS: Sql = sql`${USER_KEY} AS user, any(distinct_id) AS id`

/** The display id of a user: the external id when identified, else the distinct id. Reads {@link joinExternalIds}. */
export const DISPLAY_ID: Sql = sql`if(external_id = '', id, external_id)`

/** `FROM (users) LEFT ANY JOIN ...`: adds `external_id` to rows with a `user`; empty for unidentified users. */
export function joinExternalIds(users: Sql, projectId: ProjectId): Sql {
  const names = sql`SELECT user_hash AS user, any(external_id) AS external_id ${scopedTable('profiles', projectId)} GROUP BY user`
  return sql`FROM (${users}) AS users LEFT ANY JOIN (${names}) AS names USING user`
}
