import type { RangeMs } from '../../domain/insights/time-range.ts'
import type { QueryRunner } from '../sql/select.ts'
import { type Sql, sql } from '../sql/sql.ts'
import { findRows, fromRows, type OtherSessions, type VisitRows } from '../visit-rows/find-rows.ts'
import type { VisitScope } from './visits-sql.ts'
import type { VisitSelection } from './web-query.ts'

/** Visits of a range, most of them from rows of the table of visits. */
export interface FoldedScope {
  readonly selection: VisitSelection
  readonly rows: VisitRows
  /** The visits of the other sessions, read from their events; absent when none begins in the range. */
  readonly others: VisitScope | undefined
}

/** Whether rows of the table suffice for the selection: they have no single events, and no values of users. */
export function isFoldable({ events, goals, visits, properties, person, cohorts }: VisitSelection): boolean {
  const isOfVisit = visits.every(({ isFirstTouch }) => !isFirstTouch)
  return events.length === 0 && goals.length === 0 && isOfVisit && !properties && !person && !cohorts
}

/** The visits of the part of a range that the table covers, and the rest of the range. */
export interface FoldedRange {
  readonly folded: FoldedScope
  /** The last part of the range, which has to be read from events; `undefined` without one. */
  readonly rest: RangeMs | undefined
}

/** Finds which visits of a range are in the table; `undefined` when it does not help. */
export async function findFolded(
  selection: VisitSelection,
  range: RangeMs,
  run: QueryRunner,
): Promise<FoldedRange | undefined> {
  // A visit with an event of a bot is left out as a whole.
  const all = { bots: 'measured', cookieless: 'measured' } as const
  const sought = { projectId: selection.projectId, range, sessions: 'begun', ...all } as const
  const found = await findRows(sought, run)
  if (!found) return undefined
  const { rows, rest } = found
  const others = rows.others && toScope(selection, rows.range, rows.others)
  return { folded: { selection, rows, others }, rest }
}

/** The events of sessions. */
function toScope(
  selection: VisitSelection,
  range: RangeMs,
  { sessionIds, extent }: OtherSessions,
): VisitScope {
  return {
    selection,
    range,
    reach: { range: extent, condition: undefined },
    completions: new Map(),
    candidates: { ...extent, userHashes: undefined, sessionIds },
  }
}

/** `FROM visits ...`: the rows of the visits of a range but for those of other sessions. */
export function fromFolded({ selection, rows }: FoldedScope): Sql {
  return selection.bots === 'left out' ? sql`${fromRows(rows)} AND NOT is_bot` : fromRows(rows)
}
