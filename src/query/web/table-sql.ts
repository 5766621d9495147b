import type { ProjectId } from '../../contract/ids.ts'
import { compileGoal } from '../goals/goal-sql.ts'
import type { Goal } from '../goals/goal-store.ts'
import { float64Codec, int64Codec, stringArrayCodec, stringCodec } from '../sql/codec.ts'
import { type CompiledQuery, column, select } from '../sql/select.ts'
import { allOf, join, numbered, param, type Sql, sql } from '../sql/sql.ts'
import { type EventAttribute, eventValue, IS_PAGE_VIEW, type VisitAttribute } from './dimensions.ts'
import { PAGE_COLUMNS, selectAllVisits, type Visits, valueColumn } from './select-visits.ts'
import { eventCondition, selectVisits, type VisitScope } from './visits-sql.ts'
import type { VisitTotals } from './web-metrics.ts'

/** A value with its totals; or, without regard to values, the totals of all visits. */
export interface ValueRow extends VisitTotals {
  readonly isTotal: number
  readonly value: string
  /** Rows of the table; 0 where they are not counted. */
  readonly rowCount: number
}

/** The rows of a table to select. */
export interface TablePage {
  readonly search: string
  readonly limit: number
  readonly offset: number
}

/**
 * Compiles a page of rows, by visitors and then by value, after the row of all visits. Without visits there is no row.
 */
export function compilePage(grouped: Sql, { search, limit, offset }: TablePage): CompiledQuery<ValueRow> {
  const shown = search === '' ? sql`` : sql` WHERE is_total = 1 OR ${isFound(sql`value`, search)}`
  const ranked = sql`SELECT *, row_number() OVER (ORDER BY is_total DESC, visitor_count DESC, value) AS rank, count() OVER () AS row_count FROM (${grouped})${shown}`
  const first = param(int64Codec, offset + 2)
  const last = param(int64Codec, offset + 1 + limit)
  return select(
    { ...VALUE_COLUMNS, rowCount: column(int64Codec, sql`toInt64(row_count) - 1`) },
    sql`FROM (${ranked}) WHERE rank = 1 OR rank BETWEEN ${first} AND ${last} ORDER BY rank`,
  )
}

/** Whether a value contains a text. The search compares lower case of one sort: that of the engine. */
export function isFound(value: Sql, search: string): Sql {
  return sql`position(lowerUTF8(${value}), lowerUTF8(${param(stringCodec, search)})) > 0`
}

/** Compiles the rows of the given values. */
export function compileRowsOf(grouped: Sql, values: readonly string[]): CompiledQuery<ValueRow> {
  return select(
    { ...VALUE_COLUMNS, rowCount: column(int64Codec, sql`toInt64(0)`) },
    sql`FROM (${grouped}) WHERE is_total = 1 OR value IN ${param(stringArrayCodec, values)}`,
  )
}

const IS_TOTAL = column(int64Codec, sql`toInt64(is_total)`)

/** The columns of {@link totalsOf}. */
export const TOTAL_COLUMNS = {
  visitors: column(int64Codec, sql`toInt64(visitor_count)`),
  visits: column(int64Codec, sql`toInt64(visit_count)`),
  views: column(int64Codec, sql`toInt64(view_count)`),
  bounces: column(int64Codec, sql`toInt64(bounce_count)`),
  // The sum may exceed the integers that are exact in JavaScript; the mean does not need them.
  spentMs: column(float64Codec, sql`toFloat64(spent_sum)`),
}

const VALUE_COLUMNS = { isTotal: IS_TOTAL, ...TOTAL_COLUMNS, value: column(stringCodec, sql`value`) }

/** `SELECT is_total, value, ...`: the totals of each value of a visit, and of all visits. */
export function groupByVisit(visits: Visits, attribute: VisitAttribute): Sql {
  const rows = selectAllVisits(visits, [valueColumn(attribute)])
  return sql`SELECT grouping(value) AS is_total, value, ${totalsOf(visits, sql`views`)} FROM (${rows}) GROUP BY value WITH ROLLUP`
}

/**
 * The same for the values of events. Each visit is unfolded into its values, after a row for the visit itself: `nth` counts
 * the occurrences of a value in its visit from 1, so that the visit counts once for it; 0 is the row of the visit.
 */
export function groupByEvent(visits: VisitScope, attribute: EventAttribute): Sql {
  const condition = eventCondition(visits.selection)
  const isRow = allOf([
    ...(attribute.rows === 'page views' ? [IS_PAGE_VIEW] : []),
    ...(condition ? [condition] : []),
  ])
  // Each row of page views is one view, so that only other rows carry their number of views.
  const isView = attribute.rows === 'page views'
  const rows = selectVisits(visits, [
    sql`groupArrayIf(${eventValue(attribute)}, ${isRow}) AS found`,
    ...(isView ? [] : [sql`groupArrayIf(toUInt64(${IS_PAGE_VIEW}), ${isRow}) AS found_views`]),
  ])
  const rowViews = isView ? sql`` : sql`, arrayPushFront(found_views, views) AS row_views`
  const unfolded = sql`ARRAY JOIN arrayPushFront(found, '') AS value, arrayPushFront(arrayEnumerateUniq(found), 0) AS nth${rowViews}`
  const viewCount = isView ? sql`sum(if(nth = 0, views, 1))` : sql`sum(row_views)`
  return sql`SELECT nth = 0 AS is_total, value, ${visitsOnce(viewCount)} FROM (${rows}) ${unfolded} GROUP BY is_total, value`
}

/**
 * The same for the pages of visits without conditions on events: a visit has each of its pages once. All visits are counted apart:
 * reading their rows twice costs less than a further row for each of them.
 */
export function groupByPage(visits: Visits): Sql {
  const all = sql`FROM (${selectAllVisits(visits, [])})`
  return sql`SELECT 0 AS is_total, value, ${groupPages(visits)} UNION ALL SELECT 1 AS is_total, '' AS value, ${totalsOf(visits, sql`views`)} ${all}`
}

/** `visitor_count, ... FROM ... GROUP BY value`: the totals of each page of visits. */
export function groupPages(visits: Visits): Sql {
  const rows = selectAllVisits(visits, PAGE_COLUMNS)
  return sql`${totalsOf(visits, sql`row_views`)} FROM (${rows}) ARRAY JOIN found AS value, found_views AS row_views GROUP BY value`
}

/** Users of so many visits are listed in memory. */
const LISTED_VISITS_MAX = 4_000_000

/** The number of users of a group of visits. To list them all and to count each list costs 0.6 of one set for each group. */
function countUsers({ folded, rest }: Visits): Sql {
  const isListed = folded && !rest && folded.rows.visitCountMax <= LISTED_VISITS_MAX
  return isListed ? sql`arrayUniq(groupArrayArray(users))` : sql`uniqExactArray(users)`
}

/** `visitor_count, ...`: the totals of a group of visits, with the expression for their views. */
export function totalsOf(visits: Visits, views: Sql): Sql {
  return sql`${countUsers(visits)} AS visitor_count, count() AS visit_count, sum(${views}) AS view_count, countIf(event_count = 1) AS bounce_count, sum(spent) AS spent_sum`
}

/** The totals of rows of which only those with `nth` up to 1 are visits. */
function visitsOnce(views: Sql): Sql {
  return sql`uniqExactArrayIf(users, nth <= 1) AS visitor_count, countIf(nth <= 1) AS visit_count, ${views} AS view_count, countIf(nth <= 1 AND event_count = 1) AS bounce_count, sumIf(spent, nth <= 1) AS spent_sum`
}

/** The totals of the visits that complete a goal, by its index, with its conversions; -1 stands for all visits. */
export interface GoalRow extends VisitTotals {
  readonly isTotal: number
  readonly goal: number
  readonly conversions: number
  readonly amount: number
}

/** Compiles the totals of each goal that a visit completes, and of all visits. */
export function compileGoals(
  visits: VisitScope,
  goals: readonly Goal[],
  projectId: ProjectId,
): CompiledQuery<GoalRow> {
  const compiled = goals.map((goal) => compileGoal(goal, { projectId, range: visits.reach.range }))
  const states = compiled.flatMap(({ matches, value }, index) => [
    sql`countIf(${matches}) AS ${numbered('state', index)}`,
    sql`${value ? sql`sumIf(${value}, ${matches})` : sql`0.`} AS ${numbered('value', index)}`,
  ])
  const indexes = goals.map((_, index) => index)
  const counts = join([sql`1`, ...indexes.map((index) => numbered('state', index))], sql`, `)
  const amounts = join([sql`0.`, ...indexes.map((index) => numbered('value', index))], sql`, `)
  const unfolded = sql`ARRAY JOIN [${counts}] AS completions, [${amounts}] AS amount, arrayEnumerate([${counts}]) AS position`
  const grouped = sql`SELECT goal, goal < 0 AS is_total, uniqExactArray(users) AS visitor_count, count() AS visit_count, sum(views) AS view_count, countIf(event_count = 1) AS bounce_count, sum(spent) AS spent_sum, sum(completions) AS conversion_count, sum(amount) AS amount_sum FROM (SELECT users, views, event_count, spent, completions, amount, toInt64(position) - 2 AS goal FROM (${selectVisits(visits, states)}) ${unfolded} WHERE completions > 0) GROUP BY goal`
  return select(
    {
      isTotal: IS_TOTAL,
      ...TOTAL_COLUMNS,
      goal: column(int64Codec, sql`toInt64(goal)`),
      conversions: column(int64Codec, sql`toInt64(conversion_count)`),
      amount: column(float64Codec, sql`amount_sum`),
    },
    sql`FROM (${grouped})`,
  )
}
