import {
  type RetentionPoint,
  RetentionPoint_Outcome,
} from '../../../contract/gen/millrace/people/v1/actors_service_pb.js'
import type { InsightContext } from '../../../domain/insights/insight-context.ts'
import type { RetentionQuery } from '../../../domain/insights/retention.ts'
import { hasPlainCohorts } from '../../../domain/insights/retention-options.ts'
import { int64Codec } from '../../sql/codec.ts'
import type { QueryRunner } from '../../sql/select.ts'
import { numbered, param, type Sql, sql } from '../../sql/sql.ts'
import { USER_KEY } from '../../users/user-sql.ts'
import { type Actors, eventsOfLists, type FindActors } from '../actors.ts'
import { eventsOf, excludeCookieless, matchSql } from '../event-sql.ts'
import { bucketAt, findGroup, invalidPoint, isInGroup, rangeOfBucket, rejectGroup } from '../points.ts'
import { cohortUsers, compileBrokenDownCohorts, compileBrokenDownMembers } from './compile.ts'
import { membersSql, periodOf } from './members.ts'

/** The users of a cohort who returned in a period, or did not. */
export const findRetentionActors: FindActors<RetentionQuery, RetentionPoint> = async (input) => {
  const { query, context, point, run } = input
  const { starts } = query
  const cohort = bucketAt(starts, point.cohort, 'retention.cohort')
  const bucket = cohort + point.period
  if (point.period < 0 || bucket >= starts.length)
    throw invalidPoint('retention.period', `must be 0 to ${starts.length - 1 - cohort} for this cohort`)
  const hasReturned = hasReturnedOf(point)
  const returned = sql`has(returns, ${param(int64Codec, bucket)})`
  const inGroup = await conditionOf({ query, point, context, run })
  if (!hasPlainCohorts(query.rules)) {
    return memberActors(query, context, { cohort, period: point.period, hasReturned, inGroup })
  }
  return {
    users: sql`SELECT user, id, is_cookieless FROM (${cohortUsers(query, context)}) WHERE cohort = ${param(int64Codec, cohort)} AND ${hasReturned ? returned : sql`NOT ${returned}`}${inGroup}`,
    eventsOf: (users) =>
      eventsOfLists(
        hasReturned
          ? returnsIn(query, bucket, { ...context, users })
          : startsIn(query, cohort, { ...context, users }),
      ),
  }
}

function hasReturnedOf({ outcome }: RetentionPoint): boolean {
  if (outcome === RetentionPoint_Outcome.RETURNED) return true
  if (outcome === RetentionPoint_Outcome.DID_NOT_RETURN) return false
  throw invalidPoint('retention.outcome', 'is required')
}

/** ` AND ...`, or nothing: the users whose first start event has the point's breakdown values. */
async function conditionOf(input: {
  readonly query: RetentionQuery
  readonly point: RetentionPoint
  readonly context: InsightContext
  readonly run: QueryRunner
}): Promise<Sql> {
  const { query, point, context, run } = input
  const { breakdown } = query
  if (!breakdown) {
    rejectGroup(point, 'retention')
    return sql``
  }
  const rows = hasPlainCohorts(query.rules)
    ? await run(compileBrokenDownCohorts(query, breakdown, context))
    : await run(compileBrokenDownMembers(query, breakdown, context))
  const groups = [...new Map(rows.map((row) => [row.rank, row])).values()]
  const group = findGroup(breakdown, groups, { name: point, field: 'retention' })
  return sql` AND ${isInGroup(
    group,
    breakdown.properties.map((_, index) => numbered('key', index)),
  )}`
}

/** The members of a cohort under any options, and their return events of the period, or else their start events. */
function memberActors(
  query: RetentionQuery,
  context: InsightContext,
  point: {
    readonly cohort: number
    readonly period: number
    readonly hasReturned: boolean
    readonly inGroup: Sql
  },
): Actors {
  const { cohort, period, hasReturned, inGroup } = point
  const own = periodOf(query, sql`tupleElement(event, 1)`)
  const wanted = param(int64Codec, period)
  const isIn = query.rules.returnRule === 'on' ? sql`${own} = ${wanted}` : sql`${own} >= ${wanted}`
  const counted = sql`arrayFilter(event -> tupleElement(event, 1) >= first AND ${isIn}, seen)`
  const ofCohort = (within: InsightContext): Sql =>
    sql`SELECT *, ${counted} AS counted FROM (${membersSql(query, within, 'events')}) WHERE cohort = ${param(int64Codec, cohort)}`
  return {
    users: sql`SELECT user, id, is_cookieless FROM (${ofCohort(context)}) WHERE ${hasReturned ? sql`notEmpty(counted)` : sql`empty(counted)`}${inGroup}`,
    eventsOf: (users) =>
      eventsOfLists(
        hasReturned
          ? sql`SELECT user, counted FROM (${ofCohort({ ...context, users })})`
          : startsIn(query, cohort, { ...context, users }),
      ),
  }
}

/** An event as (milliseconds, session). */
const EVENT = sql`(toUnixTimestamp64Milli(time), session_id)`

/** `SELECT user, counted`: the return events in a bucket, from the user's first start event on. */
function returnsIn(
  { start, returnEvent = start, starts }: RetentionQuery,
  bucket: number,
  context: InsightContext,
): Sql {
  const isStart = matchSql(start, context)
  const isReturn = sql`${matchSql(returnEvent, context)} AND ${isWithin(starts, bucket, context)}`
  const found = sql`SELECT ${USER_KEY} AS user, minIf(toUnixTimestamp64Milli(time), ${isStart}) AS first, groupArrayIf(${EVENT}, ${isReturn}) AS seen ${eventsOf([start, returnEvent], context)}${excludeCookieless(context)} GROUP BY user`
  return sql`SELECT user, arrayFilter(event -> tupleElement(event, 1) >= first, seen) AS counted FROM (${found})`
}

/** `SELECT user, counted`: the start events in the cohort's bucket. */
function startsIn({ start, starts }: RetentionQuery, cohort: number, context: InsightContext): Sql {
  return sql`SELECT ${USER_KEY} AS user, groupArrayIf(${EVENT}, ${isWithin(starts, cohort, context)}) AS counted ${eventsOf([start], context)}${excludeCookieless(context)} GROUP BY user`
}

function isWithin(starts: readonly number[], bucket: number, { range }: InsightContext): Sql {
  const { fromMs, toMs } = rangeOfBucket(starts, bucket, range)
  const ms = sql`toUnixTimestamp64Milli(time)`
  return sql`${ms} >= ${param(int64Codec, fromMs)} AND ${ms} < ${param(int64Codec, toMs)}`
}
