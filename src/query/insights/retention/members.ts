import type { InsightContext } from '../../../domain/insights/insight-context.ts'
import type { RetentionQuery } from '../../../domain/insights/retention.ts'
import { eventPropertyNumber } from '../../property/event-property.ts'
import { int64Codec } from '../../sql/codec.ts'
import { EVENT_ORDER } from '../../sql/event-order.ts'
import { ALL_TIME } from '../../sql/events-table.ts'
import { join, numbered, param, type Sql, sql } from '../../sql/sql.ts'
import { USER_KEY } from '../../users/user-sql.ts'
import { ACTOR_COLUMNS } from '../actors.ts'
import { keyNames, keyTexts, withKeys } from '../breakdown.ts'
import { bucketIndex } from '../bucket-sql.ts'
import { eventsOf, excludeCookieless, matchSql } from '../event-sql.ts'
import { aggregate } from '../metric-sql.ts'

// Retention under any options, from the members of cohorts (a user is in several with EVERY) and the return events of each
// user. A member's return events fall into periods from 0; those beyond the last point count only for
// rules that include later periods.

const TIME_MS = sql`toUnixTimestamp64Milli(time)`

/** What the returns of a member are needed for: the periods that they lie in, only the last of these, or the events themselves. */
type Returns = 'periods' | 'last period' | 'events'

/** Rules that include later periods depend on the last return event alone, unless they add up a property. */
export function neededReturns({ rules }: RetentionQuery): Returns {
  return rules.returnRule === 'on_or_after' && rules.value.kind === 'users' ? 'last period' : 'periods'
}

/**
 * `SELECT user, cohort, first, seen`, and `key0, ...` with a breakdown: one row per member, with the number of the bucket, the
 * time of the start event in it, and the times of all return events of the user. With a property also `amounts`: its
 * numbers, and `seen` has the times of return events with a number. For the last period, `until` instead of `seen`: the
 * millisecond after the last return event, or 0. For `events`, `seen` has (milliseconds, session), and the rows have `id` and
 * `is_cookieless`.
 */
export function membersSql(query: RetentionQuery, context: InsightContext, returns: Returns): Sql {
  if (query.rules.startRule === 'first_in_range') return membersOfRange(query, context, returns)
  return sql`SELECT user, cohort, first, ${returnNames(query, returns)}${memberNames(query, returns)} FROM (${startsSql(query, context, returns)}) AS starts LEFT ANY JOIN (${returnsByUser(query, context, returns)}) AS returned USING (user)`
}

/**
 * The return events of each user. A user is in up to as many cohorts as there are buckets, and each reads all of them: where
 * only users count, the first and the last of each block of time stand for the others. Blocks are as long as periods, so
 * that the events of a block are in two neighbouring periods at most, and these two are in every one that the others are in.
 */
function returnsByUser(query: RetentionQuery, context: InsightContext, returns: Returns): Sql {
  const { start, returnEvent = start, starts, rules } = query
  const source = sql`${eventsOf([returnEvent], context)}${excludeCookieless(context)}`
  if (returns !== 'periods' || rules.value.kind !== 'users')
    return sql`SELECT ${USER_KEY} AS user, ${returnColumns(query, returns)} ${source} GROUP BY user`
  const block =
    rules.periodMs === undefined
      ? bucketIndex(TIME_MS, starts)
      : sql`intDiv(${TIME_MS} - ${param(int64Codec, context.range.fromMs)}, ${param(int64Codec, rules.periodMs)})`
  const blocks = sql`SELECT ${USER_KEY} AS user, ${block} AS block, min(${TIME_MS}) AS earliest, max(${TIME_MS}) AS latest ${source} GROUP BY user, block`
  return sql`SELECT user, groupArrayArray([earliest, latest]) AS seen FROM (${blocks}) GROUP BY user`
}

/** Members by their first start event in the range, which the scan of their return events finds too. */
function membersOfRange(query: RetentionQuery, context: InsightContext, returns: Returns): Sql {
  const { start, returnEvent, breakdown, starts } = query
  // Without a return event of its own, every event of the scan is a start and a return.
  const [isStart, isReturn] = returnEvent ? [matchSql(start, context), matchSql(returnEvent, context)] : []
  const keys = breakdown
    ? keyTexts(breakdown).map(
        (text, index) =>
          sql`, ${aggregate(sql`argMin`, sql`${text}, ${EVENT_ORDER}`, { condition: isStart })} AS ${numbered('key', index)}`,
      )
    : []
  const actor = returns === 'events' ? sql`, ${ACTOR_COLUMNS}` : sql``
  const having = isStart ? sql` HAVING countIf(${isStart}) > 0` : sql``
  const source = sql`${eventsOf(returnEvent ? [start, returnEvent] : [start], withKeys(context, breakdown))}${excludeCookieless(context)}`
  const users = sql`SELECT ${USER_KEY} AS user, ${aggregate(sql`min`, TIME_MS, { condition: isStart })} AS first, ${returnColumns(query, returns, isReturn)}${join(keys, sql``)}${actor} ${source} GROUP BY user${having}`
  return sql`SELECT user, ${bucketIndex(sql`first`, starts)} AS cohort, first, ${returnNames(query, returns)}${memberNames(query, returns)} FROM (${users})`
}

/** Whether points are computed from a property of the return events. */
function isSummed({ rules }: RetentionQuery, returns: Returns): boolean {
  return returns === 'periods' && rules.value.kind !== 'users'
}

/** The columns of a member's returns. */
function returnNames(query: RetentionQuery, returns: Returns): Sql {
  if (returns === 'last period') return sql`until`
  return isSummed(query, returns) ? sql`seen, amounts` : sql`seen`
}

/** {@link returnNames} as aggregates of the return events: those that meet the condition, or all without one. */
function returnColumns({ rules }: RetentionQuery, returns: Returns, isReturn?: Sql): Sql {
  const gather = (value: Sql): Sql =>
    sql`${aggregate(sql`groupArray`, value, { condition: isReturn })} AS seen`
  if (returns === 'events') return gather(sql`(${TIME_MS}, session_id)`)
  if (returns === 'last period')
    return sql`${aggregate(sql`max`, sql`${TIME_MS} + 1`, { condition: isReturn })} AS until`
  if (rules.value.kind === 'users') return gather(TIME_MS)
  const number = eventPropertyNumber(rules.value.property)
  const isCounted = sql`${isReturn ? sql`${isReturn} AND ` : sql``}isNotNull(${number})`
  return sql`groupArrayIf(${TIME_MS}, ${isCounted}) AS seen, groupArrayIf(assumeNotNull(${number}), ${isCounted}) AS amounts`
}

/** `, key0, ..., id, is_cookieless`: the columns of members besides their returns. */
function memberNames({ breakdown }: RetentionQuery, returns: Returns): Sql {
  const keys = breakdown ? sql`, ${keyNames(breakdown)}` : sql``
  return returns === 'events' ? sql`${keys}, id, is_cookieless` : keys
}

/** `SELECT user, cohort, first`: the start event of each member. */
function startsSql(query: RetentionQuery, context: InsightContext, returns: Returns): Sql {
  const { start, breakdown, starts, rules } = query
  const bucket = bucketIndex(TIME_MS, starts)
  const keys = breakdown
    ? keyTexts(breakdown).map(
        (text, index) => sql`, argMin(${text}, ${EVENT_ORDER}) AS ${numbered('key', index)}`,
      )
    : []
  const actor = returns === 'events' ? sql`, ${ACTOR_COLUMNS}` : sql``
  const columns = sql`min(${TIME_MS}) AS first${join(keys, sql``)}${actor}`
  const { fromMs, toMs } = context.range
  const isEver = rules.startRule === 'first_ever'
  const range = isEver ? { fromMs: ALL_TIME.fromMs, toMs } : context.range
  const source = sql`${eventsOf([start], withKeys(context, breakdown), range)}${excludeCookieless(context)}`
  if (rules.startRule === 'every')
    return sql`SELECT ${USER_KEY} AS user, ${bucket} AS cohort, ${columns} ${source} GROUP BY user, cohort`
  const inRange = isEver ? sql` HAVING first >= ${param(int64Codec, fromMs)}` : sql``
  const users = sql`SELECT ${USER_KEY} AS user, ${columns} ${source} GROUP BY user${inRange}`
  return sql`SELECT user, ${bucketIndex(sql`first`, starts)} AS cohort, first${memberNames(query, returns)} FROM (${users})`
}

/** The number of the period in which a return event lies, from 0; `ms` is its time. */
export function periodOf({ starts, rules }: RetentionQuery, ms: Sql): Sql {
  if (rules.periodMs !== undefined) return sql`intDiv(${ms} - first, ${param(int64Codec, rules.periodMs)})`
  return sql`(${bucketIndex(ms, starts)} - cohort)`
}

/** The periods of a member's return events from the start on, one for each event. */
function periodsSql(query: RetentionQuery): Sql {
  // The first of the start events is the start: none of them is before it.
  const isOfOne = query.returnEvent === undefined && query.rules.startRule === 'first_in_range'
  const returned = isOfOne ? sql`seen` : sql`arrayFilter(ms -> ms >= first, seen)`
  return sql`arrayMap(ms -> toInt64(${periodOf(query, sql`ms`)}), ${returned})`
}

/**
 * `SELECT key0, ..., cohort, period, users, amount`: cell 0 counts the members, cell k + 1 those who returned in period k, with the
 * sum of the property. Where later periods count, a member is only in the cell of the last one: cells are added up afterwards.
 */
export function memberCells(query: RetentionQuery, context: InsightContext): Sql {
  const { breakdown, rules } = query
  const keys = breakdown ? sql`${keyNames(breakdown)}, ` : sql``
  const members = membersSql(query, context, neededReturns(query))
  const counted = (rows: Sql): Sql =>
    sql`SELECT ${keys}cohort, cell AS period, count() AS users, sum(amount) AS amount FROM (${rows}) GROUP BY ${keys}cohort, period`
  if (rules.value.kind !== 'users') {
    const cells = sql`arrayPushFront(arrayMap(period -> period + 1, ${periodsSql(query)}), 0)`
    const amounts = sql`arrayPushFront(arrayFilter((amount, ms) -> ms >= first, amounts, seen), 0)`
    return counted(
      sql`SELECT ${keys}cohort, cell, amount FROM (${members}) ARRAY JOIN ${cells} AS cell, ${amounts} AS amount`,
    )
  }
  if (rules.returnRule === 'on_or_after') {
    // Members are counted by their last cell before they count for both of their cells, so that they need no arrays.
    const last = sql`if(until > first, toInt64(${periodOf(query, sql`(until - 1)`)}) + 1, 0)`
    const ends = sql`SELECT ${keys}cohort, ${last} AS last, count() AS members FROM (${members}) GROUP BY ${keys}cohort, last`
    return sql`SELECT ${keys}cohort, period, sum(members) AS users, 0. AS amount FROM (${ends}) ARRAY JOIN if(last = 0, [0], [0, last]) AS period GROUP BY ${keys}cohort, period`
  }
  const returned = sql`arrayMap(period -> period + 1, arrayDistinct(${periodsSql(query)}))`
  return counted(
    sql`SELECT ${keys}cohort, cell, 0. AS amount FROM (${members}) ARRAY JOIN arrayPushFront(${returned}, 0) AS cell`,
  )
}
