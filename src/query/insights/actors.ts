import type { InsightContext } from '../../domain/insights/insight-context.ts'
import type { QueryRunner } from '../sql/select.ts'
import { type Sql, sql } from '../sql/sql.ts'
import { USER_COLUMNS, USER_KEY } from '../users/user-sql.ts'

/** The users behind a point of an answer, and their counted events. */
export interface Actors {
  /** `SELECT user, id, is_cookieless`: one row for each user. */
  readonly users: Sql
  /** `SELECT user, ms, session`: one row for each counted event of some of the users. */
  readonly eventsOf: (users: readonly bigint[]) => Sql
}

/** A point in the answer to a parsed query. */
export interface PointQuery<Query, Point> {
  readonly query: Query
  readonly point: Point
  readonly context: InsightContext
  /** Runs the statements that find the point in the answer. */
  readonly run: QueryRunner
}

/**
 * Finds the users behind a point, with the pieces of SQL that compute the number. Throws `invalid_argument` for a point
 * that the answer does not have.
 */
export type FindActors<Query, Point> = (input: PointQuery<Query, Point>) => Promise<Actors>

/** `... AS id, ... AS is_cookieless`: the columns of a user from a group of their events. */
export const ACTOR_COLUMNS: Sql = sql`any(distinct_id) AS id, min(cookieless) AS is_cookieless`

/** The columns of a counted event besides its user. */
const COUNTED_COLUMNS: Sql = sql`toUnixTimestamp64Milli(time) AS ms, session_id AS session`

/** The users of events; `from` is `FROM events ... WHERE ...` within a context. */
export function actorsOfEvents(context: InsightContext, from: (context: InsightContext) => Sql): Actors {
  return {
    users: sql`SELECT ${USER_COLUMNS}, min(cookieless) AS is_cookieless ${from(context)} GROUP BY user`,
    eventsOf: (users) => sql`SELECT ${USER_KEY} AS user, ${COUNTED_COLUMNS} ${from({ ...context, users })}`,
  }
}

/** `SELECT user, ms, session` of lists of (ms, session); `lists` is `SELECT user, counted`. */
export function eventsOfLists(lists: Sql): Sql {
  return sql`SELECT user, tupleElement(event, 1) AS ms, tupleElement(event, 2) AS session FROM (${lists}) ARRAY JOIN counted AS event`
}
