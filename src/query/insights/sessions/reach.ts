import type { EventMatch } from '../../../domain/insights/parse-filters.ts'
import type { SessionQuery } from '../../../domain/insights/sessions.ts'
import type { RangeMs } from '../../../domain/insights/time-range.ts'
import { LONG_SESSION_MS } from '../../../store/clickhouse/migrations/003-sessions.ts'
import { int64Codec } from '../../sql/codec.ts'
import { instant } from '../../sql/events-table.ts'
import { farSessions } from '../../sql/far-sessions.ts'
import { type CompiledQuery, column, type QueryRunner, select } from '../../sql/select.ts'
import { type Sql, sql } from '../../sql/sql.ts'
import { type EventContext, eventsOf } from '../event-sql.ts'
import { SESSION_METRICS } from './session-metric.ts'

/** The range and the ids that contain the events of all sessions that may have begun in the range. */
export interface Reach {
  /** A range that contains all of their events, and others. */
  readonly range: RangeMs
  /** The rows of the range that matter; all of them when absent. */
  readonly condition: Sql | undefined
}

/** The sessions to find. */
export interface Reached {
  /** The events that participate; a session begins with the first of them. */
  readonly scope: EventMatch
  /** Whether events after the range matter, or only whether the session began in the range. */
  readonly needs: 'start' | 'whole'
}

/** The sessions that a metric measures. */
export function reachedBy({ metric, scope }: SessionQuery): Reached {
  return { scope, needs: SESSION_METRICS[metric].needs }
}

const DAY_MS = 24 * 3_600_000

/**
 * Determines how far a query has to read, in three steps; most queries need only the first. Sessions that span at most
 * {@link LONG_SESSION_MS} lie near the range as a whole; longer ones are identified by id. Those within a day of the
 * range are read there. Of the remaining ones, only sessions that appear to begin in the range are read to their full
 * extent: an id that is in constant use (some clients have only one) is recognised as older without reading its
 * history.
 */
export async function findReach(
  { scope, needs }: Reached,
  context: EventContext,
  run: QueryRunner,
): Promise<Reach> {
  const isWhole = needs === 'whole'
  const around = (marginMs: number): RangeMs => ({
    fromMs: context.range.fromMs - marginMs,
    toMs: context.range.toMs + (isWhole ? marginMs : 0),
  })
  const [near, wide] = [around(LONG_SESSION_MS), around(DAY_MS)]
  const [far, farther] = [farSessions(context, near), farSessions(context, wide)]

  const [extent] = await run(selectExtent(far))
  if (!extent?.sessionCount) return { range: near, condition: undefined }
  const farExtent = isWhole ? extent : { ...extent, lastMs: near.toMs - 1 }
  const isOfFar = sql`(${isWithin(near)} OR ${idIn(far)})`
  const isFarther = farExtent.firstMs < wide.fromMs || farExtent.lastMs >= wide.toMs
  if (!isFarther) return { range: join(near, farExtent), condition: isOfFar }

  const begun = farSessionsBegun(scope, context, farther)
  const [begunExtent] = await run(selectExtent(begun))
  const condition = sql`${isOfFar} AND NOT ${idIn(farther)}`
  if (!begunExtent?.sessionCount) return { range: wide, condition }
  const range = join(wide, isWhole ? begunExtent : { ...begunExtent, lastMs: wide.toMs - 1 })
  return { range, condition: sql`(${condition} OR ${idIn(begun)})` }
}

/** The range, extended to the given extent. */
function join({ fromMs, toMs }: RangeMs, { firstMs, lastMs }: Extent): RangeMs {
  return { fromMs: Math.min(fromMs, firstMs), toMs: Math.max(toMs, lastMs + 1) }
}

function isWithin({ fromMs, toMs }: RangeMs): Sql {
  return sql`time >= ${instant(fromMs)} AND time < ${instant(toMs)}`
}

/** The number of sessions, and the times of their first and last event. */
export interface Extent {
  readonly sessionCount: number
  readonly firstMs: number
  readonly lastMs: number
}

/** Time before the range in which the start of a session is searched for, before the whole history is. */
const LOOK_BACK_MS = 7 * 24 * 3_600_000

/** The sessions among them that begin in the frame's range, judged by matching events in it and in the week before. */
function farSessionsBegun(scope: EventMatch, context: EventContext, sessions: Sql): Sql {
  const { fromMs, toMs } = context.range
  const events = eventsOf([scope], context, { fromMs: fromMs - LOOK_BACK_MS, toMs })
  const begun = sql`SELECT session_id ${events} AND ${idIn(sessions)} GROUP BY session_id HAVING min(time) >= ${instant(fromMs)}`
  return sql`SELECT session_id, began, ended FROM (${sessions}) WHERE session_id IN (${begun})`
}

/** Whether the row's session is one of them. */
function idIn(sessions: Sql): Sql {
  return sql`session_id IN (SELECT session_id FROM (${sessions}))`
}

/** Queries the extent of sessions. */
function selectExtent(sessions: Sql): CompiledQuery<Extent> {
  return select(
    {
      sessionCount: column(int64Codec, sql`toInt64(count())`),
      firstMs: column(int64Codec, sql`toUnixTimestamp64Milli(min(began))`),
      lastMs: column(int64Codec, sql`toUnixTimestamp64Milli(max(ended))`),
    },
    sql`FROM (${sessions})`,
  )
}
