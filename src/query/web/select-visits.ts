import type { RangeMs } from '../../domain/insights/time-range.ts'
import { monotonicMs } from '../../kernel/clock.ts'
import { matchValue } from '../filter/operator-sql.ts'
import { ALL_TIME } from '../sql/events-table.ts'
import type { CompiledQuery, QueryRunner } from '../sql/select.ts'
import { allOf, join, type Sql, sql } from '../sql/sql.ts'
import { canonicalUsers } from '../users/user-sql.ts'
import { isInTime } from '../visit-rows/find-rows.ts'
import { columnText, IS_PAGE_VIEW, type VisitAttribute, visitValue } from './dimensions.ts'
import { findVisits, type VisitSearch } from './find-visits.ts'
import { type FoldedScope, findFolded, fromFolded, isFoldable } from './folded-visits.ts'
import { selectVisits, type VisitScope } from './visits-sql.ts'

/** The visits of a range: of rows of the table of visits where there are such, and of events. */
export interface Visits {
  readonly folded: FoldedScope | undefined
  /** Of events; `undefined` when all are folded. */
  readonly rest: VisitScope | undefined
}

/** A further column of visits, with its alias: over a row of the table, and over the events of a visit. */
export interface VisitColumn {
  readonly ofRow: Sql
  readonly ofEvents: Sql
}

/** A question about visits. */
export interface VisitQuestion<R> {
  readonly search: VisitSearch
  readonly range: RangeMs
  /** Whether all columns of the question are in the table of visits. */
  readonly isFoldable: boolean
  readonly compile: (visits: Visits) => CompiledQuery<R>
}

/**
 * Answers a question about visits from the table where it can, and from events where that takes too long. No rows when no visit
 * can be in the range.
 */
export async function readVisits<R>(question: VisitQuestion<R>, run: QueryRunner): Promise<readonly R[]> {
  const { search, range, compile } = question
  const startMs = monotonicMs()
  const visits = question.isFoldable ? await findFoldedVisits(search, range, run) : undefined
  if (visits) {
    const rows = await run(compile(visits))
    if (isInTime(startMs)) return rows
  }
  return await readEvents(question, run)
}

/** Answers a question from events alone. */
export async function readEvents<R>(
  { search, range, compile }: Omit<VisitQuestion<R>, 'isFoldable'>,
  run: QueryRunner,
): Promise<readonly R[]> {
  const visits = await findEvents(search, range, run)
  return visits ? await run(compile(visits)) : []
}

/** The visits of a range as events; `undefined` when none can be in the range. */
export async function findEvents(
  search: VisitSearch,
  range: RangeMs,
  run: QueryRunner,
): Promise<Visits | undefined> {
  const rest = await findVisits(search, range, run)
  return rest && { folded: undefined, rest }
}

/** The visits of a range as the table has them; `undefined` when it does not help. */
export async function findFoldedVisits(
  search: VisitSearch,
  { fromMs, toMs }: RangeMs,
  run: QueryRunner,
): Promise<Visits | undefined> {
  const range = { fromMs: Math.max(fromMs, ALL_TIME.fromMs), toMs: Math.min(toMs, ALL_TIME.toMs) }
  if (!isFoldable(search.selection) || range.fromMs >= range.toMs) return undefined
  const found = await findFolded(search.selection, range, run)
  if (!found) return undefined
  return { folded: found.folded, rest: found.rest && (await findVisits(search, found.rest, run)) }
}

/** `SELECT began, spent, event_count, views, users, ...`: one row for each visit. */
export function selectAllVisits({ folded, rest }: Visits, columns: readonly VisitColumn[]): Sql {
  const ofEvents = columns.map((column) => column.ofEvents)
  const parts = [
    ...(folded ? [selectFolded(folded, columns)] : []),
    ...(folded?.others ? [selectVisits(folded.others, ofEvents)] : []),
    ...(rest ? [selectVisits(rest, ofEvents)] : []),
  ]
  return join(parts, sql` UNION ALL `)
}

function selectFolded(folded: FoldedScope, columns: readonly VisitColumn[]): Sql {
  const all = [
    sql`began`,
    sql`toInt64(spent) AS spent`,
    sql`toUInt64(event_count) AS event_count`,
    sql`toUInt64(view_count) AS views`,
    sql`${canonicalUsers(sql`user_hashes`)} AS users`,
    ...columns.map(({ ofRow }) => ofRow),
  ]
  const conditions = folded.selection.visits.map(({ attribute, operator, operands }) =>
    matchValue(operator, operands, { text: rowValue(attribute), number: sql`NULL` }),
  )
  return sql`SELECT ${join(all, sql`, `)} ${fromFolded(folded)} AND ${allOf(conditions)}`
}

/** The value of a visit's row. */
function rowValue({ of, property }: VisitAttribute): Sql {
  if (of === 'first event') return columnText(property)
  return of === 'first page view' ? sql`entry_page` : sql`exit_page`
}

/** The value of the visit, by default as `value`. */
export function valueColumn(attribute: VisitAttribute, alias = sql`value`): VisitColumn {
  return {
    ofRow: sql`toString(${rowValue(attribute)}) AS ${alias}`,
    ofEvents: sql`toString(${visitValue(attribute)}) AS ${alias}`,
  }
}

const PAGES = sql`sumMapIf([pathname], [toUInt64(1)], ${IS_PAGE_VIEW})`

/** `found`, `found_views`: each page of the visit with its number of views. */
export const PAGE_COLUMNS: readonly VisitColumn[] = [
  { ofRow: sql`pages AS found`, ofEvents: sql`${PAGES}.1 AS found` },
  { ofRow: sql`page_views AS found_views`, ofEvents: sql`${PAGES}.2 AS found_views` },
]
