import type { InsightContext } from '../../../domain/insights/insight-context.ts'
import { kindsOfMatch } from '../../../domain/insights/parse-filters.ts'
import type { UserFlowQuery } from '../../../domain/insights/user-flow.ts'
import { VISIT_MS_MAX } from '../../../store/clickhouse/migrations/011-visits.ts'
import { int64Codec, stringArrayCodec } from '../../sql/codec.ts'
import { allOf, join, param, type Sql, sql } from '../../sql/sql.ts'
import { fromRows, fromVersions, type VisitRows } from '../../visit-rows/find-rows.ts'
import { coversByKind } from '../event-sql.ts'
import { isAnchored } from './anchors.ts'
import { pathOf, pathsSql, textsOf, valuesSql } from './compile.ts'
import { hashOf } from './node.ts'

/**
 * Whether rows of visits answer the query: they have the kinds and the pages of events in order, and no other values. For a range of a
 * few days, they would mostly be those of the days before it, on which its first sessions may have begun.
 */
export function isOfRows(query: UserFlowQuery, context: InsightContext): boolean {
  const { node, scope, rules } = query
  const { fromMs, toMs } = context.range
  if (toMs - fromMs <= VISIT_MS_MAX) return false
  const isInRow = node.by === 'kind' || (node.property.home === 'column' && node.property.key === '$pathname')
  return isInRow && rules.length === 0 && !isAnchored(query) && coversByKind(scope, context)
}

/** `SELECT path`: the paths of `pathsSql`, most of them from rows of visits. */
export function rowPathsSql(query: UserFlowQuery, context: InsightContext, rows: VisitRows): Sql {
  const ofRows = sql`SELECT ${pathOf(query, labelsSql(query, context))} AS path ${fromRows(rows)}`
  return rows.others ? unionOf([ofRows, pathsSql(query, context, rows.others)]) : ofRows
}

/** The labels of the events of a row that form its path, in order. A session may begin before the range, and end after it. */
function labelsSql({ node, scope }: UserFlowQuery, { range }: InsightContext): Sql {
  const conditions = conditionsOf(node.by, kindsOfMatch(scope))
  const [fromMs, toMs] = [param(int64Codec, range.fromMs), param(int64Codec, range.toMs)]
  const began = sql`toUnixTimestamp64Milli(began)`
  const whole = chosenSql(node.by, conditions)
  const part = chosenSql(node.by, [
    ...conditions,
    { list: 'offset', condition: sql`after >= ${fromMs} - ${began} AND after < ${toMs} - ${began}` },
  ])
  const events = sql`if(${began} >= ${fromMs} AND ${began} + spent < ${toMs}, ${whole}, ${part})`
  return node.by === 'kind' ? events : sql`arrayMap(page -> bitShiftRight(page, 4), ${events})`
}

/** The lists of a row, and the name of an item of each. */
const LISTS = {
  kind: { list: sql`path_kinds`, item: sql`label` },
  property: { list: sql`path_pages`, item: sql`page` },
  offset: { list: sql`path_offsets`, item: sql`after` },
} as const

/** A condition on the item of a list. */
interface OfList {
  readonly list: keyof typeof LISTS
  readonly condition: Sql
}

/** The conditions on the events of a row: that they have a page, and are of the kinds. */
function conditionsOf(by: 'kind' | 'property', kinds: readonly string[] | undefined): readonly OfList[] {
  if (by === 'property' && kinds?.every(isView)) return [{ list: by, condition: sql`bitTest(page, 0)` }]
  const hasPage: readonly OfList[] = by === 'kind' ? [] : [{ list: by, condition: sql`page != 0` }]
  if (!kinds) return hasPage
  const hashes = sql`arrayMap(name -> ${hashOf(sql`name`)}, ${param(stringArrayCodec, kinds)})`
  return [...hasPage, { list: 'kind', condition: sql`has(${hashes}, label)` }]
}

function isView(kind: string): boolean {
  return kind === 'page_view'
}

/** The kinds or the pages of the events that meet all conditions. No other list is read. */
function chosenSql(by: 'kind' | 'property', conditions: readonly OfList[]): Sql {
  if (conditions.length === 0) return LISTS[by].list
  const names = [...new Set([by, ...conditions.map(({ list }) => list)])]
  const commaSeparated = (part: 'list' | 'item'): Sql =>
    join(
      names.map((name) => LISTS[name][part]),
      sql`, `,
    )
  return sql`arrayFilter((${commaSeparated('item')}) -> ${allOf(conditions.map(({ condition }) => condition))}, ${commaSeparated('list')})`
}

/** `SELECT label, text` of the paths. */
export function rowTextsSql(query: UserFlowQuery, context: InsightContext, rows: VisitRows): Sql {
  if (!hasTexts(query)) return textsOf(query, valuesSql(query, context))
  const pages = sql`SELECT arrayJoin(pages) AS value ${fromVersions(rows)} GROUP BY value`
  return textsOf(query, rows.others ? unionOf([pages, valuesSql(query, context, rows.others)]) : pages)
}

/** Whether rows have the texts of all events that may form a path: those of the pages that were viewed. */
function hasTexts({ node, scope }: UserFlowQuery): boolean {
  return node.by === 'property' && (kindsOfMatch(scope) ?? ['']).every(isView)
}

function unionOf(statements: readonly Sql[]): Sql {
  return join(statements, sql` UNION ALL `)
}
