import type { Condition } from '../../domain/insights/condition.ts'
import type { RangeMs } from '../../domain/insights/time-range.ts'
import { keysByFirst, valueAtFirst } from '../attribution/first-events.ts'
import { conditionSql } from '../filter/condition-sql.ts'
import { matchValue } from '../filter/operator-sql.ts'
import { NOT_BOT } from '../insights/event-sql.ts'
import type { Reach } from '../insights/sessions/reach.ts'
import { uuidArrayCodec } from '../sql/codec.ts'
import { type EventScope, HAS_SESSION, instant, scopedEvents } from '../sql/events-table.ts'
import type { ProjectRange } from '../sql/far-sessions.ts'
import { allOf, join, param, type Sql, sql } from '../sql/sql.ts'
import { canonicalUser, canonicalUsers, USER_KEY, type UserId } from '../users/user-sql.ts'
import { columnText, eventValue, IS_PAGE_VIEW, visitValue } from './dimensions.ts'
import type { VisitCondition, VisitSelection } from './web-query.ts'

/** Sessions that include all visits of a scope, and where all their events are. */
export interface Candidates extends Pick<EventScope, 'fromMs' | 'toMs' | 'userHashes'> {
  readonly sessionIds: readonly string[]
}

/** The visits of a range, and where their events are. */
export interface VisitScope {
  readonly selection: VisitSelection
  readonly range: RangeMs
  readonly reach: Reach
  /** Whether an event completes a goal, by id, for each goal that a condition names. */
  readonly completions: ReadonlyMap<string, Sql>
  /** Where they are known, no other session is read. */
  readonly candidates?: Candidates
}

/** The conditions on events, as one on the row's event; `undefined` without any. */
export function eventCondition({ events }: VisitSelection): Sql | undefined {
  if (events.length === 0) return undefined
  return allOf(
    events.map(({ attribute, operator, operands }) =>
      matchValue(operator, operands, { text: eventValue(attribute), number: sql`NULL` }),
    ),
  )
}

/** The conditions that one event of each visit meets, as one on the row's event; `undefined` without any. */
export function neededEvent({ selection, reach }: VisitScope): Sql | undefined {
  const { projectId, properties } = selection
  const event = eventCondition(selection)
  if (!properties) return event
  const rows = { projectId, range: reach.range }
  return allOf([...(event ? [event] : []), conditionSql(properties, { rows, user: USER_KEY })])
}

/** Whether the row's event is a page view that counts. */
function isCountedView(selection: VisitSelection): Sql {
  const condition = eventCondition(selection)
  return condition ? allOf([IS_PAGE_VIEW, condition]) : IS_PAGE_VIEW
}

/**
 * `SELECT began, spent, event_count, views, users, ...`: one row for each visit of the scope, with further aggregates of its
 * events. `users` are the canonical users of all its events.
 */
export function selectVisits(scope: VisitScope, more: readonly Sql[]): Sql {
  const { selection, reach, candidates } = scope
  const { fromMs, toMs, userHashes }: Omit<Candidates, 'sessionIds'> = candidates ?? reach.range
  const events = scopedEvents({ projectId: selection.projectId, fromMs, toMs, userHashes })
  const far = reach.condition ? sql` AND ${reach.condition}` : sql``
  const among = candidates ? sql`session_id IN ${param(uuidArrayCodec, candidates.sessionIds)}` : HAS_SESSION
  const columns = [
    sql`min(time) AS began`,
    sql`toUnixTimestamp64Milli(max(time)) - toUnixTimestamp64Milli(min(time)) AS spent`,
    sql`count() AS event_count`,
    sql`countIf(${isCountedView(selection)}) AS views`,
    sql`${canonicalUsers(sql`groupUniqArray(user_hash)`)} AS users`,
    ...more,
  ]
  const { cohorts, projectId } = selection
  return sql`SELECT ${join(columns, sql`, `)} ${events}${far} AND ${among}${onlyOfCohorts(cohorts, { projectId, range: reach.range })} GROUP BY session_id HAVING ${allOf(conditionsOf(scope))}`
}

/** `AND ...`: leaves out rows whose events are not of users of the cohorts; empty without cohorts. */
export function onlyOfCohorts(cohorts: Condition | undefined, rows: ProjectRange): Sql {
  return cohorts ? sql` AND ${conditionSql(cohorts, { rows, user: USER_KEY })}` : sql``
}

/** The conditions of visits, over the events of a session. */
function conditionsOf(scope: VisitScope): readonly Sql[] {
  const { selection, range, reach, completions } = scope
  const event = neededEvent(scope)
  return [
    sql`began >= ${instant(range.fromMs)}`,
    sql`began < ${instant(range.toMs)}`,
    ...(selection.bots === 'measured' ? [] : [sql`min(${NOT_BOT})`]),
    ...(event ? [sql`max(${event})`] : []),
    ...(selection.person ? [sql`max(${isOfPerson(selection.person)})`] : []),
    ...selection.visits.map((condition) =>
      visitCondition(condition, { projectId: selection.projectId, range: reach.range }),
    ),
    ...selection.goals.map(({ goalId, completion }) => {
      const isCompleted = sql`max(${completions.get(goalId) ?? sql`0`})`
      return completion === 'needed' ? isCompleted : sql`NOT ${isCompleted}`
    }),
  ]
}

/** Whether the row's event is of the user. */
export function isOfPerson(person: UserId): Sql {
  return sql`${USER_KEY} = ${canonicalUser(person)}`
}

/** A condition on a visit, over the events of its session. */
function visitCondition(condition: VisitCondition, rows: ProjectRange): Sql {
  const { attribute, operator, operands, isFirstTouch } = condition
  const matches = (text: Sql): Sql => matchValue(operator, operands, { text, number: sql`NULL` })
  if (!isFirstTouch) return matches(visitValue(attribute))
  return sql`${valueAtFirst(USER_KEY)} IN (${keysByFirst('user', matches(columnText(attribute.property)), rows)})`
}
