import type { Condition } from '../../domain/insights/condition.ts'
import type { InsightContext } from '../../domain/insights/insight-context.ts'
import type { EventMatch } from '../../domain/insights/parse-filters.ts'
import type { Property } from '../../domain/insights/property.ts'
import { countsUsers, type Metric } from '../../domain/insights/series.ts'
import type { RangeMs } from '../../domain/insights/time-range.ts'
import { joinTexts } from '../attribution/joined-texts.ts'
import { conditionSql } from '../filter/condition-sql.ts'
import { uint64ArrayCodec } from '../sql/codec.ts'
import { scopedCopies, scopedEvents } from '../sql/events-table.ts'
import type { ProjectRange } from '../sql/far-sessions.ts'
import { kindConditions, unionOfKinds } from '../sql/kind-sql.ts'
import type { Span } from '../sql/spans.ts'
import { allOf, anyOf, param, type Sql, sql } from '../sql/sql.ts'
import { NOT_COOKIELESS, USER_KEY } from '../users/user-sql.ts'
import type { Sought } from '../visit-rows/find-rows.ts'

/** The parts of the context that decide which events a query covers. */
export type EventContext = Pick<
  InsightContext,
  'projectId' | 'range' | 'filters' | 'excludeBots' | 'users'
> & {
  /** Properties whose texts the rows have besides those of their events; see `propertyTexts`. */
  readonly joined?: readonly Property[]
  /** Spans to read; all of the range when absent. */
  readonly spans?: readonly Span[] | undefined
}

/** Whether the row's event is not marked as sent by a bot; an event without the mark is not. */
export const NOT_BOT: Sql = sql`NOT bools['$bot']`

/** Whether the row's event, which is in the range, satisfies the match: 0 or 1. */
export function matchSql(match: EventMatch, { projectId, range }: ProjectRange): Sql {
  const { condition } = match
  const rows = { projectId, range, kinds: unionOfKinds([match]) }
  const conditions = [
    ...kindConditions(match),
    ...(isTrivial(condition) ? [] : [conditionSql(condition, { rows, user: USER_KEY })]),
  ]
  return allOf(conditions)
}

/** ` AND ...`, or nothing: leaves out the events of cookieless visitors where users count, unless the query includes them. */
export function excludeCookieless({ includeCookieless }: Pick<InsightContext, 'includeCookieless'>): Sql {
  return includeCookieless ? sql`` : sql` AND ${NOT_COOKIELESS}`
}

/** ` AND ...`, or nothing: the events that the metric counts. */
export function whereCounted(metric: Metric, context: InsightContext): Sql {
  return countsUsers(metric) ? excludeCookieless(context) : sql``
}

/** Whether the metric counts the row's event: `undefined` when it counts every event. */
export function countedSql(metric: Metric, { includeCookieless }: InsightContext): Sql | undefined {
  return countsUsers(metric) && !includeCookieless ? NOT_COOKIELESS : undefined
}

/**
 * `FROM events` with the range and the filters of the query, restricted to events that satisfy any of the matches. Ends in a
 * `WHERE` that `AND` extends.
 */
export function eventsOf(
  matches: readonly EventMatch[],
  context: EventContext,
  range: RangeMs = context.range,
): Sql {
  const { projectId, joined: properties = [], spans } = context
  const rows = { projectId, range, kinds: unionOfKinds(matches) }
  const joined = joinTexts(properties, rows)
  return sql`${scopedEvents({ projectId, ...range, kinds: rows.kinds, joined, spans })}${whereMatched(matches, context, rows)}`
}

/**
 * As {@link eventsOf}, but every stored copy that meets the condition, also one that lost to a later copy: for what may be read too
 * often or in vain, such as the text of a hash.
 */
export function copiesOf(
  matches: readonly EventMatch[],
  context: Omit<EventContext, 'joined' | 'spans'>,
  condition: Sql,
): Sql {
  const { projectId, range } = context
  const rows = { projectId, range, kinds: unionOfKinds(matches) }
  return sql`${scopedCopies({ projectId, ...range, kinds: rows.kinds }, condition)}${whereMatched(matches, context, rows)}`
}

/** ` AND ...`, or nothing: the events of the filters that satisfy any of the matches. */
function whereMatched(
  matches: readonly EventMatch[],
  { filters, excludeBots, users }: EventContext,
  rows: ProjectRange & { readonly kinds: readonly string[] | undefined },
): Sql {
  const own = matches.some(({ condition }) => !isTrivial(condition))
    ? [anyOf(matches.map((match) => matchSql(match, rows)))]
    : []
  const conditions = [
    ...(excludeBots ? [NOT_BOT] : []),
    ...(isTrivial(filters) ? [] : [conditionSql(filters, { rows, user: USER_KEY })]),
    ...own,
  ]
  const ofUsers = users ? sql` AND ${USER_KEY} IN ${param(uint64ArrayCodec, users)}` : sql``
  return conditions.length === 0 ? ofUsers : sql`${ofUsers} AND ${allOf(conditions)}`
}

/** Whether the kind alone, and perhaps the mark of bots, decides which events of its range a query with the scope covers. */
export function coversByKind(
  { condition }: EventMatch,
  { filters, users }: Pick<EventContext, 'filters' | 'users'>,
): boolean {
  return isTrivial(condition) && isTrivial(filters) && !users
}

/** The rows of visits of such a query. */
export function soughtBy({
  projectId,
  range,
  excludeBots,
}: EventContext): Omit<Sought, 'sessions' | 'cookieless'> {
  return { projectId, range, bots: excludeBots ? 'left out' : 'measured' }
}

function isTrivial(condition: Condition): boolean {
  return condition.kind === 'all' && condition.of.every(isTrivial)
}
