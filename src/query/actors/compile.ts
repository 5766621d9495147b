import { NO_SESSION, type ProjectId } from '../../contract/ids.ts'
import type { Actors } from '../insights/actors.ts'
import { personMatches } from '../people/person-search.ts'
import { int64Codec, stringArrayCodec, stringCodec, uint64ArrayCodec, uint64Codec } from '../sql/codec.ts'
import { type CompiledQuery, column, type Row, select } from '../sql/select.ts'
import { param, sql } from '../sql/sql.ts'
import { DISPLAY_ID, joinExternalIds } from '../users/user-sql.ts'

const PAGE_COLUMNS = {
  total: column(int64Codec, sql`toInt64(count())`),
  cookieless: column(int64Codec, sql`toInt64(countIf(is_cookieless))`),
  /** Users on all pages. */
  matching: column(int64Codec, sql`toInt64(countIf(is_listed))`),
}

/** The number of users behind a point, and some of them in the order of their ids. */
export interface ActorPage extends Row<typeof PAGE_COLUMNS> {
  readonly ids: readonly string[]
  /** The users as hashes, by index in `ids`. */
  readonly users: readonly bigint[]
}

/** Maximum users of a page, and one more that shows whether there is a next page; the engine needs it as a literal. */
const HEAP = sql`groupArraySortedIf(1001)`

/** Compiles the numbers of users and the `sizeMax` users after an id, at most 1001, in one scan. */
export function compilePage(
  { users }: Actors,
  page: {
    readonly projectId: ProjectId
    readonly sizeMax: number
    readonly afterId: string | undefined
    /** Lists only users whose name, email or id contains it. */
    readonly search: string
  },
): CompiledQuery<ActorPage> {
  const { projectId, sizeMax, afterId, search } = page
  const after = afterId === undefined ? sql`` : sql` AND shown > ${param(stringCodec, afterId)}`
  const listed = sql`arraySlice(${HEAP}((shown, user), is_listed${after}), 1, ${param(int64Codec, sizeMax)})`
  const named = sql`SELECT ${DISPLAY_ID} AS shown, user, is_cookieless ${joinExternalIds(users, projectId)}`
  const matches = personMatches(search, { user: sql`user`, ids: [sql`shown`] }, projectId)
  const listable = sql`SELECT *, NOT is_cookieless AND ${matches} AS is_listed FROM (${named})`
  return select(
    {
      ...PAGE_COLUMNS,
      ids: column(stringArrayCodec, sql`arrayMap(each -> tupleElement(each, 1), ${listed} AS listed)`),
      users: column(uint64ArrayCodec, sql`arrayMap(each -> tupleElement(each, 2), listed)`),
    },
    sql`FROM (${listable})`,
  )
}

const ACTIVITY_COLUMNS = {
  user: column(uint64Codec, sql`user`),
  events: column(int64Codec, sql`toInt64(sum(session_events))`),
  firstMs: column(int64Codec, sql`toInt64(min(session_first))`),
  lastMs: column(int64Codec, sql`toInt64(max(session_last))`),
  sessions: column(
    stringArrayCodec,
    sql`arrayMap(visit -> tupleElement(visit, 2), arraySlice(arraySort(visit -> (-tupleElement(visit, 1), tupleElement(visit, 2)), groupArrayIf((session_last, toString(session)), session != toUUID(${param(stringCodec, NO_SESSION)}))), 1, 20))`,
  ),
}

/** The counted events of a user: their number, their times, and the latest sessions. */
export type ActorActivity = Row<typeof ACTIVITY_COLUMNS>

/** Compiles the counted events of some users. */
export function compileActivity(actors: Actors, users: readonly bigint[]): CompiledQuery<ActorActivity> {
  const bySession = sql`SELECT user, session, count() AS session_events, min(ms) AS session_first, max(ms) AS session_last FROM (${actors.eventsOf(users)}) GROUP BY user, session`
  return select(ACTIVITY_COLUMNS, sql`FROM (${bySession}) GROUP BY user`)
}
