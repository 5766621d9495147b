import { ALWAYS } from '../../domain/insights/condition.ts'
import type { RangeMs } from '../../domain/insights/time-range.ts'
import { compileGoal } from '../goals/goal-sql.ts'
import { type Goal, goalNotFound } from '../goals/goal-store.ts'
import { findReach } from '../insights/sessions/reach.ts'
import { ALL_TIME } from '../sql/events-table.ts'
import type { QueryRunner } from '../sql/select.ts'
import type { VisitScope } from './visits-sql.ts'
import type { VisitSelection } from './web-query.ts'

/** The visits to find. */
export interface VisitSearch {
  readonly selection: VisitSelection
  /** The goals of the project, for a selection or a table that needs them. */
  readonly goals: readonly Goal[]
}

/** Throws `not_found` for a condition on a goal that the project does not have. */
export function requireGoals({ selection, goals }: VisitSearch): void {
  const ids = new Set(goals.map(({ id }) => id))
  if (selection.goals.some(({ goalId }) => !ids.has(goalId))) throw goalNotFound()
}

/** Determines where the events of the visits of a range are; `undefined` when no event can be in the range. */
export async function findVisits(
  { selection, goals }: VisitSearch,
  { fromMs, toMs }: RangeMs,
  run: QueryRunner,
): Promise<VisitScope | undefined> {
  const range = { fromMs: Math.max(fromMs, ALL_TIME.fromMs), toMs: Math.min(toMs, ALL_TIME.toMs) }
  if (range.fromMs >= range.toMs) return undefined
  const { projectId } = selection
  const every = { kind: '', condition: ALWAYS }
  const reach = await findReach(
    { scope: every, needs: 'whole' },
    { projectId, range, filters: selection.cohorts ?? ALWAYS, excludeBots: false },
    run,
  )
  const named = goals.filter(({ id }) => selection.goals.some(({ goalId }) => goalId === id))
  const rows = { projectId, range: reach.range }
  const completions = new Map(named.map((goal) => [goal.id, compileGoal(goal, rows).matches]))
  return { selection, range, reach, completions }
}
