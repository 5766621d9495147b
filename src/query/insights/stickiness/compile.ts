import type { InsightContext } from '../../../domain/insights/insight-context.ts'
import type { EventMatch } from '../../../domain/insights/parse-filters.ts'
import type { StickinessQuery } from '../../../domain/insights/stickiness.ts'
import { int64Codec } from '../../sql/codec.ts'
import { type CompiledQuery, column, select } from '../../sql/select.ts'
import { join, param, type Sql, sql } from '../../sql/sql.ts'
import { USER_KEY } from '../../users/user-sql.ts'
import { ACTOR_COLUMNS } from '../actors.ts'
import { bucketIndex, bucketSet } from '../bucket-sql.ts'
import { eventsOf, excludeCookieless, matchSql } from '../event-sql.ts'

/** The users of one series who were active in exactly this many buckets. */
export interface StickinessRow {
  /** Position of the series, from 0. */
  readonly series: number
  /** From 1. */
  readonly buckets: number
  readonly users: number
}

const TIME_MS = sql`toUnixTimestamp64Milli(time)`

/** Compiles all series, in one scan. */
export function compileStickiness(
  { series, starts }: StickinessQuery,
  context: InsightContext,
): CompiledQuery<StickinessRow> {
  const counts = series.map((one, index) => {
    const count = bucketsActive(starts, series.length > 1 ? matchSql(one, context) : undefined)
    return sql`(${param(int64Codec, index)}, ${count})`
  })
  const users = sql`SELECT [${join(counts, sql`, `)}] AS counts ${eventsOf(series, context)}${excludeCookieless(context)} GROUP BY ${USER_KEY}`
  const marks = sql`SELECT tupleElement(mark, 1) AS series, tupleElement(mark, 2) AS buckets, count() AS users FROM (${users}) ARRAY JOIN counts AS mark GROUP BY series, buckets`
  return select(
    {
      series: column(int64Codec, sql`series`),
      buckets: column(int64Codec, sql`toInt64(buckets)`),
      users: column(int64Codec, sql`toInt64(users)`),
    },
    // A user without an event of the series is no user of it.
    sql`FROM (${marks}) WHERE buckets > 0`,
  )
}

/** `SELECT user, id, is_cookieless`: the users of a series who meet the condition on `buckets`, their number of buckets. */
export function usersActive(
  input: { readonly event: EventMatch; readonly starts: readonly number[]; readonly condition: Sql },
  context: InsightContext,
): Sql {
  const { event, starts, condition } = input
  const users = sql`SELECT ${USER_KEY} AS user, ${ACTOR_COLUMNS}, ${bucketsActive(starts)} AS buckets ${eventsOf([event], context)}${excludeCookieless(context)} GROUP BY user`
  return sql`SELECT user, id, is_cookieless FROM (${users}) WHERE ${condition}`
}

/** The number of buckets with a row of the group that meets the condition. */
function bucketsActive(starts: readonly number[], condition?: Sql): Sql {
  const set = bucketSet(starts.length)
  return sql`length(${set.list(set.gather(bucketIndex(TIME_MS, starts), condition))})`
}
