import type { ProjectId } from '../../contract/ids.ts'
import { currentTraits } from '../property/trait.ts'
import { stringArrayCodec, stringCodec } from '../sql/codec.ts'
import { param, type Sql, sql } from '../sql/sql.ts'

/** The traits that name a person: a search reads them beside the ids, a list shows them. */
export const NAME_TRAITS = ['name', 'email', 'first_name', 'last_name', 'username'] as const

/** Columns of the rows that are searched. */
export interface SearchedColumns {
  /** The user as a hash. */
  readonly user: Sql
  /** Ids as text. */
  readonly ids: readonly Sql[]
}

/** Whether an id or a naming trait of the row's user contains a text, in any case: 0 or 1. */
export function personMatches(text: string, { user, ids }: SearchedColumns, projectId: ProjectId): Sql {
  if (text === '') return sql`1`
  const wanted = param(stringCodec, text)
  const named = sql`SELECT user_hash ${currentTraits(projectId)} AND key IN ${param(stringArrayCodec, NAME_TRAITS)} AND positionCaseInsensitiveUTF8(JSONExtractString(value), ${wanted}) > 0`
  const inIds = ids.reduce(
    (found, id) => sql`${found} OR positionCaseInsensitiveUTF8(${id}, ${wanted}) > 0`,
    sql`${user} IN (${named})`,
  )
  return sql`(${inIds})`
}
