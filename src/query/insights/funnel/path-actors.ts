import type { FunnelQuery } from '../../../domain/insights/funnel.ts'
import type { InsightContext } from '../../../domain/insights/insight-context.ts'
import { uint64ArrayCodec } from '../../sql/codec.ts'
import { param, type Sql, sql } from '../../sql/sql.ts'
import type { Actors } from '../actors.ts'
import { integer } from './attempts.ts'
import { pathAttemptsSql } from './path-attempts.ts'
import { pathsByEvent } from './path-groups.ts'
import type { ElapsedRange } from './paths.ts'

/** A step, and whose attempts are wanted: those that reached it, or those that reached the one before only. */
interface PathPoint {
  /** From 0. */
  readonly step: number
  readonly isReached: boolean
  /** ` AND ...`: the condition on the breakdown values. */
  readonly inGroup: Sql
  /** The elapsed times at which attempts start, for a point of a bucket. */
  readonly within: ElapsedRange | undefined
}

/** The users of the events of attempts; where users are counted, all events of an attempt are those of one. */
export function findPathActors(query: FunnelQuery, context: InsightContext, point: PathPoint): Actors {
  const events = attemptEvents(query, context, point)
  return {
    users: sql`SELECT user, any(sent_as) AS id, min(is_cookieless) AS is_cookieless FROM (${events}) GROUP BY user`,
    eventsOf: (users) =>
      sql`SELECT user, ms, session FROM (${events}) WHERE user IN ${param(uint64ArrayCodec, users)}`,
  }
}

/** `SELECT user, sent_as, is_cookieless, ms, session`: the events of the attempts of a point. */
function attemptEvents(query: FunnelQuery, context: InsightContext, point: PathPoint): Sql {
  const { step, isReached, inGroup, within } = point
  const reached = (index: number): Sql => sql`has(done, ${integer(index)})`
  const outcome = isReached ? reached(step) : sql`${reached(step - 1)} AND NOT ${reached(step)}`
  const attempts = within
    ? attemptsOfBucket(query, context, { within, inGroup })
    : sql`SELECT * FROM (${pathsByEvent(query, context, 'actors')}) WHERE 1${inGroup}`
  return sql`SELECT sender AS user, distinct_id AS sent_as, sent_cookieless AS is_cookieless, elapsed_ms + ${integer(context.range.fromMs)} AS ms, visit AS session FROM (${attempts}) ARRAY JOIN who AS sender, sent_as AS distinct_id, is_cookieless AS sent_cookieless, times AS elapsed_ms, session AS visit WHERE ${outcome}`
}

/** Attempts that start in a bucket; users belong to the series of their counted attempt in the whole range. */
function attemptsOfBucket(
  query: FunnelQuery,
  context: InsightContext,
  { within, inGroup }: { readonly within: ElapsedRange; readonly inGroup: Sql },
): Sql {
  const attempts = pathAttemptsSql(query, context, { carried: 'actors', within })
  if (!query.breakdown) return attempts
  return sql`SELECT * FROM (${attempts}) WHERE user IN (SELECT user FROM (${pathsByEvent(query, context)}) WHERE 1${inGroup})`
}
