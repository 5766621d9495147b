import type { Breakdown } from '../../../domain/insights/breakdown.ts'
import type { InsightContext } from '../../../domain/insights/insight-context.ts'
import type { RetentionQuery } from '../../../domain/insights/retention.ts'
import {
  float64ArrayCodec,
  int64ArrayCodec,
  int64Codec,
  stringArrayCodec,
  uint32Codec,
} from '../../sql/codec.ts'
import { EVENT_ORDER } from '../../sql/event-order.ts'
import { type CompiledQuery, column, select } from '../../sql/select.ts'
import { join, numbered, param, type Sql, sql } from '../../sql/sql.ts'
import { USER_KEY } from '../../users/user-sql.ts'
import { ACTOR_COLUMNS } from '../actors.ts'
import { keyNames, keyTexts, type RankedRow, rankColumns, rankedGroups, withKeys } from '../breakdown.ts'
import { bucketIndex, bucketSet } from '../bucket-sql.ts'
import { eventsOf, excludeCookieless, matchSql } from '../event-sql.ts'
import { memberCells, neededReturns } from './members.ts'

/**
 * One cohort: how many of its users returned in each bucket. Buckets are numbered from 0; the number after the last
 * bucket stands for the cohort itself, so its count is the cohort's size.
 */
export interface CohortRow {
  readonly cohort: number
  readonly buckets: readonly number[]
  /** Users, by index in `buckets`. */
  readonly counts: readonly number[]
}

/** One cohort of one breakdown value, or of the rest. */
interface BrokenDownCohortRow extends CohortRow, RankedRow {}

/** Plain numbers: aggregates of instants are slower. */
const TIME_MS = sql`toUnixTimestamp64Milli(time)`

const COHORT_COLUMNS = {
  cohort: column(int64Codec, sql`toInt64(cohort)`),
  buckets: column(int64ArrayCodec, sql`groupArray(toInt64(bucket))`),
  counts: column(int64ArrayCodec, sql`groupArray(toInt64(users))`),
}

/** The cohorts of all users, in one scan. */
export function compileCohorts(query: RetentionQuery, context: InsightContext): CompiledQuery<CohortRow> {
  const cells = sql`SELECT cohort, bucket, count() AS users FROM (${returnsSql(query, context)}) GROUP BY cohort, bucket`
  return select(COHORT_COLUMNS, sql`FROM (${cells}) GROUP BY cohort`)
}

/** The cohorts by breakdown value, in one scan: values that rank below the limit by their users are merged. */
export function compileBrokenDownCohorts(
  query: RetentionQuery,
  breakdown: Breakdown,
  context: InsightContext,
): CompiledQuery<BrokenDownCohortRow> {
  const keys = keyNames(breakdown)
  const cells = sql`SELECT ${keys}, cohort, bucket, count() AS users FROM (${returnsSql(query, context)}) GROUP BY ${keys}, cohort, bucket`
  const ranked = rankedGroups(breakdown, {
    rows: cells,
    cell: sql`(cohort, bucket, users)`,
    total: { value: sql`sumIf(users, bucket = ${memberMark(query)})`, name: sql`total` },
  })
  const merged = sql`SELECT rank, any([${keys}]) AS keys, tupleElement(cell, 1) AS cohort, tupleElement(cell, 2) AS bucket, sum(tupleElement(cell, 3)) AS users ${ranked}, cohort, bucket`
  return select(
    { ...rankColumns(breakdown), keys: column(stringArrayCodec, sql`any(keys)`), ...COHORT_COLUMNS },
    sql`FROM (${merged}) GROUP BY rank, cohort`,
  )
}

/** One row for every user and bucket in which the user returned, and one row per user that marks cohort membership. */
function returnsSql(query: RetentionQuery, context: InsightContext): Sql {
  const { breakdown } = query
  const users = usersSql(query, context)
  const keys = breakdown ? sql`${keyNames(breakdown)}, ` : sql``
  return sql`SELECT ${keys}cohort, arrayJoin(arrayPushBack(returns, ${memberMark(query)})) AS bucket FROM (${users})`
}

/** `cohort` and `returns`, the numbers of buckets, of every user of a cohort; `more` are columns of the user's events. */
function usersSql(query: RetentionQuery, context: InsightContext, more?: MoreColumns): Sql {
  const { returnEvent } = query
  return returnEvent ? usersOfTwo({ ...query, returnEvent }, context, more) : usersOfOne(query, context, more)
}

/** Aggregates of a user's events, and their names. */
interface MoreColumns {
  readonly aggregates: Sql
  readonly names: Sql
}

/** `SELECT user, id, is_cookieless, cohort, returns`, and `key0, ...` with a breakdown: the users of all cohorts. */
export function cohortUsers(query: RetentionQuery, context: InsightContext): Sql {
  return usersSql(query, context, {
    aggregates: sql`, ${ACTOR_COLUMNS}`,
    names: sql`, user, id, is_cookieless`,
  })
}

function memberMark({ starts }: RetentionQuery): Sql {
  return sql`${param(uint32Codec, starts.length)}`
}

/** Users when the return event is the start event: every event after the first one is a return. */
function usersOfOne(
  { start, breakdown, starts }: RetentionQuery,
  context: InsightContext,
  more?: MoreColumns,
): Sql {
  const set = bucketSet(starts.length)
  const keys = keysOfFirst(breakdown)
  return sql`SELECT ${USER_KEY} AS user, ${bucketIndex(sql`min(${TIME_MS})`, starts)} AS cohort, ${set.list(set.gather(bucketIndex(TIME_MS, starts)))} AS returns${keys}${more?.aggregates ?? sql``} ${eventsOf([start], withKeys(context, breakdown))}${excludeCookieless(context)} GROUP BY user`
}

/**
 * Users when the return event differs from the start event. A return in the bucket of the first start may precede it,
 * and the first start is only known at the end: until then the state holds the times of all returns, 8 bytes each.
 */
function usersOfTwo(
  {
    start,
    returnEvent,
    breakdown,
    starts,
  }: RetentionQuery & { readonly returnEvent: RetentionQuery['start'] },
  context: InsightContext,
  more?: MoreColumns,
): Sql {
  const isStart = matchSql(start, context)
  const keys = keysOfFirst(breakdown, isStart)
  const found = sql`SELECT ${USER_KEY} AS user, minIf(${TIME_MS}, ${isStart}) AS first, groupArrayIf(${TIME_MS}, ${matchSql(returnEvent, context)}) AS seen${keys}${more?.aggregates ?? sql``} ${eventsOf([start, returnEvent], withKeys(context, breakdown))}${excludeCookieless(context)} GROUP BY user HAVING countIf(${isStart}) > 0`
  const returns = sql`arrayDistinct(arrayMap(at -> ${bucketIndex(sql`at`, starts)}, arrayFilter(at -> at >= first, seen)))`
  const names = breakdown ? sql`, ${keyNames(breakdown)}` : sql``
  return sql`SELECT ${bucketIndex(sql`first`, starts)} AS cohort, ${returns} AS returns${names}${more?.names ?? sql``} FROM (${found})`
}

/** `, key0, key1, ...` of the first event, or of the first event that meets the condition. */
function keysOfFirst(breakdown: Breakdown | undefined, condition?: Sql): Sql {
  if (!breakdown) return sql``
  const keys = keyTexts(breakdown).map((text, index) => {
    const args = sql`${text}, ${EVENT_ORDER}`
    const value = condition ? sql`argMinIf(${args}, ${condition})` : sql`argMin(${args})`
    return sql`${value} AS ${numbered('key', index)}`
  })
  return sql`, ${join(keys, sql`, `)}`
}

/** One cohort under any options: its cells, as `memberCells` numbers them. */
export interface MemberRow extends RankedRow {
  readonly cohort: number
  readonly cells: readonly number[]
  /** Members, by index in `cells`. */
  readonly users: readonly number[]
  /** Sums of the property, by index in `cells`. */
  readonly amounts: readonly number[]
}

const MEMBER_COLUMNS = {
  cohort: column(int64Codec, sql`toInt64(cohort)`),
  cells: column(int64ArrayCodec, sql`groupArray(toInt64(period))`),
  users: column(int64ArrayCodec, sql`groupArray(toInt64(users))`),
  amounts: column(float64ArrayCodec, sql`groupArray(amount)`),
}

/**
 * Members may have the return events of their user each, and a user may be several members: blocks of the default size would then
 * take much of the memory.
 */
function settingsOf(query: RetentionQuery): Sql {
  if (neededReturns(query) === 'last period') return sql``
  return query.rules.startRule === 'every'
    ? sql` SETTINGS max_block_size = 2048`
    : sql` SETTINGS max_block_size = 16384`
}

/** The cohorts under any options, without a breakdown. */
export function compileMembers(query: RetentionQuery, context: InsightContext): CompiledQuery<MemberRow> {
  const columns = {
    rank: column(int64Codec, sql`toInt64(0)`),
    keys: column(stringArrayCodec, sql`CAST([], 'Array(String)')`),
    ...MEMBER_COLUMNS,
  }
  return select(columns, sql`FROM (${memberCells(query, context)}) GROUP BY cohort${settingsOf(query)}`)
}

/** The cohorts under any options by breakdown value: values that rank below the limit by their members are merged. */
export function compileBrokenDownMembers(
  query: RetentionQuery,
  breakdown: Breakdown,
  context: InsightContext,
): CompiledQuery<MemberRow> {
  const keys = keyNames(breakdown)
  const ranked = rankedGroups(breakdown, {
    rows: memberCells(query, context),
    cell: sql`(cohort, period, users, amount)`,
    total: { value: sql`sumIf(users, period = 0)`, name: sql`total` },
  })
  const merged = sql`SELECT rank, any([${keys}]) AS keys, tupleElement(cell, 1) AS cohort, tupleElement(cell, 2) AS period, sum(tupleElement(cell, 3)) AS users, sum(tupleElement(cell, 4)) AS amount ${ranked}, cohort, period`
  const columns = {
    ...rankColumns(breakdown),
    keys: column(stringArrayCodec, sql`any(keys)`),
    ...MEMBER_COLUMNS,
  }
  return select(columns, sql`FROM (${merged}) GROUP BY rank, cohort${settingsOf(query)}`)
}
