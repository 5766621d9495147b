import type { RetentionQuery } from '../../../domain/insights/retention.ts'
import type { CohortRow, MemberRow } from './compile.ts'

/** The users of one cohort, and what they did in each period. */
export interface Cohort {
  readonly size: number
  /** Users who returned, or the sum of a property, by period: from the cohort's own bucket to the last one. */
  readonly amounts: readonly number[]
}

/** The cohort of every bucket, from rows whose buckets are counted from the start of the range. */
export function plainCohorts({ starts }: RetentionQuery, rows: readonly CohortRow[]): readonly Cohort[] {
  const byCohort = new Map(rows.map((row) => [row.cohort, row]))
  return starts.map((_, cohort) => {
    const { buckets, counts } = byCohort.get(cohort) ?? { buckets: [], counts: [] }
    const users = new Map(buckets.map((bucket, index) => [bucket, counts[index] ?? 0]))
    return {
      size: users.get(starts.length) ?? 0,
      amounts: starts.slice(cohort).map((_start, period) => users.get(cohort + period) ?? 0),
    }
  })
}

/** The cohort of every bucket, from cells of members; those of later periods are added up where the rule includes them. */
export function cohortsOfMembers(
  { starts, rules }: RetentionQuery,
  rows: readonly MemberRow[],
): readonly Cohort[] {
  const byCohort = new Map(rows.map((row) => [row.cohort, row]))
  return starts.map((_, cohort) => {
    const { cells = [], users = [], amounts = [] }: Partial<MemberRow> = byCohort.get(cohort) ?? {}
    const counted = rules.value.kind === 'users' ? users : amounts
    const byCell = new Map(cells.map((cell, index) => [cell, counted[index] ?? 0]))
    const last = rules.returnRule === 'on' ? 0 : Math.max(0, ...cells)
    const own = starts.slice(cohort).map((_start, period) => byCell.get(period + 1) ?? 0)
    return {
      size: users[cells.indexOf(0)] ?? 0,
      amounts: rules.returnRule === 'on' ? own : addLater(byCell, own.length, last),
    }
  })
}

/** For each period, the sum over it and all later ones; cells beyond the last period count too. */
function addLater(byCell: ReadonlyMap<number, number>, periodCount: number, lastCell: number): number[] {
  let sum = 0
  const sums: number[] = []
  for (let cell = Math.max(lastCell, periodCount); cell > 0; cell--) {
    sum += byCell.get(cell) ?? 0
    if (cell <= periodCount) sums.push(sum)
  }
  return sums.reverse()
}
