import type { Breakdown } from '../../../domain/insights/breakdown.ts'
import type { InsightContext } from '../../../domain/insights/insight-context.ts'
import type { SessionQuery } from '../../../domain/insights/sessions.ts'
import type { RangeMs } from '../../../domain/insights/time-range.ts'
import { instant } from '../../sql/events-table.ts'
import type { QueryRunner } from '../../sql/select.ts'
import { numbered, sql } from '../../sql/sql.ts'
import { type Actors, actorsOfEvents } from '../actors.ts'
import { withKeys } from '../breakdown.ts'
import { findGroup, type GroupName, isInGroup, type PointGroup, rejectGroup } from '../points.ts'
import { compileSessionBreakdown, measured, sessionEvents, valuesOfSession } from './compile.ts'
import { findReach, reachedBy } from './reach.ts'
import { ofEvents } from './session-source.ts'

/** Sessions behind a point: those that began in a part of the range, of one group of the breakdown. */
export interface SessionPoint {
  readonly query: SessionQuery
  readonly breakdown: Breakdown | undefined
  readonly range: RangeMs
  readonly name: GroupName
}

/** The users of the events of sessions; a session may have events of several users. */
export async function findSessionActors(
  point: SessionPoint,
  context: InsightContext,
  run: QueryRunner,
): Promise<Actors> {
  const { query, breakdown, range } = point
  const group = await groupOf(point, context, run)
  // Events of a counted session count wherever they are, even where the metric needs only the session's start.
  const reach = await findReach({ scope: query.scope, needs: 'whole' }, context, run)
  const keys = breakdown ? valuesOfSession({ ...query, breakdown }) : sql``
  const inGroup =
    group && breakdown
      ? sql` AND ${isInGroup(
          group,
          breakdown.properties.map((_, index) => numbered('key', index)),
        )}`
      : sql``
  const sessions = sql`SELECT session_id FROM (${measured(query, withKeys(context, breakdown), reach, sql`, session_id${keys}`)}) WHERE began >= ${instant(range.fromMs)} AND began < ${instant(range.toMs)}${inGroup}`
  return actorsOfEvents(
    context,
    (of) => sql`${sessionEvents(query, of, reach)} AND session_id IN (${sessions})`,
  )
}

async function groupOf(
  { query, breakdown, name }: SessionPoint,
  context: InsightContext,
  run: QueryRunner,
): Promise<PointGroup | undefined> {
  if (!breakdown) return rejectGroup(name, 'trends')
  const whole = { ...query, breakdown, starts: [context.range.fromMs] }
  const reach = await findReach(reachedBy(query), context, run)
  const rows = await run(compileSessionBreakdown(whole, context, ofEvents(context, reach)))
  return findGroup(breakdown, rows, { name, field: 'trends' })
}
