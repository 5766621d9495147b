import type { InsightContext } from '../../../domain/insights/insight-context.ts'
import type { LifecycleQuery } from '../../../domain/insights/lifecycle.ts'
import { int64Codec } from '../../sql/codec.ts'
import { ALL_TIME } from '../../sql/events-table.ts'
import { type CompiledQuery, column, select } from '../../sql/select.ts'
import { param, type Sql, sql } from '../../sql/sql.ts'
import { USER_KEY } from '../../users/user-sql.ts'
import { ACTOR_COLUMNS } from '../actors.ts'
import { bucketIndex, bucketSet } from '../bucket-sql.ts'
import { eventsOf, excludeCookieless } from '../event-sql.ts'

/** The users in one state in one bucket. */
export interface LifecycleRow {
  /** Number of the bucket, from 0. */
  readonly bucket: number
  /** As `LifecycleState` numbers it. */
  readonly state: number
  readonly users: number
}

/** A number for each state of each bucket, which groups faster than a pair. */
const STATES = sql`8`

const TIME_MS = sql`toUnixTimestamp64Milli(time)`

/** Compiles all states of all buckets, in one scan. */
export function compileLifecycle(
  query: LifecycleQuery,
  context: InsightContext,
): CompiledQuery<LifecycleRow> {
  const marks = sql`SELECT arrayJoin(marks) AS mark, count() AS users FROM (${marksSql(query, context)}) GROUP BY mark`
  return select(
    {
      bucket: column(int64Codec, sql`toInt64(intDiv(mark, ${STATES})) - 1`),
      state: column(int64Codec, sql`toInt64(mark % ${STATES})`),
      users: column(int64Codec, sql`toInt64(users)`),
    },
    sql`FROM (${marks})`,
  )
}

/** `SELECT user, id, is_cookieless`: the users in one state in one bucket. */
export function usersInState(
  query: LifecycleQuery,
  { bucket, state }: Pick<LifecycleRow, 'bucket' | 'state'>,
  context: InsightContext,
): Sql {
  const mark = sql`toInt32((${param(int64Codec, bucket)} + 1) * ${STATES} + ${param(int64Codec, state)})`
  const marked = marksSql(query, context, {
    aggregates: sql`, ${ACTOR_COLUMNS}`,
    names: sql`, user, id, is_cookieless`,
  })
  return sql`SELECT user, id, is_cookieless FROM (${marked}) WHERE has(marks, ${mark})`
}

/** Aggregates of a user's events, and their names. */
interface MoreColumns {
  readonly aggregates: Sql
  readonly names: Sql
}

/**
 * `SELECT marks`: for every user the marks of the states. Buckets have numbers from 1 here: 0 is the one before the first. A
 * user who is active in neighbouring buckets returns in the later one; in the bucket after a gap, a user is new when it has
 * their first event, and in the bucket that follows the last one before a gap, dormant.
 */
function marksSql(query: LifecycleQuery, context: InsightContext, more?: MoreColumns): Sql {
  const last = param(int64Codec, query.starts.length)
  const state = sql`multiIf(at = first, 1, at = before + 1, 2, 3)`
  const present = sql`arrayMap((at, before) -> at * ${STATES} + ${state}, active, arrayShiftRight(active, 1, toInt32(-2)))`
  const absent = sql`arrayFilter((mark, at, next) -> at < ${last} AND next != at + 1, arrayMap(at -> (at + 1) * ${STATES} + 4, active), active, arrayShiftLeft(active, 1, toInt32(-2)))`
  // The marks of the bucket before the first one are of no interest.
  const marks = sql`arrayMap(mark -> toInt32(mark), arrayConcat(arrayFilter(mark -> mark >= ${STATES}, ${present}), ${absent}))`
  return sql`SELECT ${marks} AS marks${more?.names ?? sql``} FROM (${activitySql(query, context, more)})`
}

/**
 * `SELECT user, first, active`: the number of the bucket with the user's first event of all time, 0 for any earlier one, and
 * the numbers of the buckets in which the user was active, ascending.
 */
function activitySql(query: LifecycleQuery, context: InsightContext, more?: MoreColumns): Sql {
  const { event, starts, beforeMs } = query
  const { fromMs, toMs } = context.range
  const buckets = [beforeMs, ...starts]
  const bucketOf = (ms: Sql): Sql =>
    bucketIndex(sql`greatest(${ms}, ${param(int64Codec, beforeMs)})`, buckets)
  const set = bucketSet(buckets.length)
  const active = set.list(set.gather(bucketOf(TIME_MS), isCounted(query, fromMs)))
  const events = eventsOf([event], context, { fromMs: ALL_TIME.fromMs, toMs })
  return sql`SELECT ${USER_KEY} AS user, toInt32(${bucketOf(sql`min(${TIME_MS})`)}) AS first, arraySort(arrayMap(at -> toInt32(at), ${active})) AS active${more?.aggregates ?? sql``} ${events}${excludeCookieless(context)} GROUP BY user HAVING notEmpty(active)`
}

/** Whether the row's event makes its user active: in the range, or in the whole bucket before the first one. */
function isCounted({ starts, beforeMs }: LifecycleQuery, fromMs: number): Sql {
  const firstMs = starts[0] ?? fromMs
  const isLate = sql`${TIME_MS} >= ${param(int64Codec, beforeMs)}`
  if (firstMs === fromMs) return isLate
  return sql`(${isLate} AND (${TIME_MS} < ${param(int64Codec, firstMs)} OR ${TIME_MS} >= ${param(int64Codec, fromMs)}))`
}
