import type { Condition } from './condition.ts'
import type { EventMatch } from './parse-filters.ts'
import type { RangeMs } from './time-range.ts'

/** How a number of events compares with a value. */
export interface CountRule {
  readonly operator: 'at_least' | 'at_most' | 'exactly'
  readonly value: bigint
}

/** Who the users of a cohort are, with windows as instants and the rules of other cohorts in place of references. */
export type CohortRule =
  | {
      readonly kind: 'performed'
      readonly event: EventMatch
      readonly count: CountRule
      readonly window: RangeMs
    }
  /** The first matching event of all time lies in the window. */
  | { readonly kind: 'first_performed'; readonly event: EventMatch; readonly window: RangeMs }
  /** A condition on traits alone. */
  | { readonly kind: 'trait'; readonly condition: Condition }
  /** The users of the ids of a static cohort. */
  | { readonly kind: 'listed'; readonly cohortId: string }
  | { readonly kind: 'all' | 'any'; readonly of: readonly CohortRule[] }
  | { readonly kind: 'not'; readonly of: CohortRule }

/** The number of conditions in a rule, those of referenced cohorts included. */
export function countConditions(rule: CohortRule): number {
  switch (rule.kind) {
    case 'all':
    case 'any':
      return rule.of.reduce((count, part) => count + countConditions(part), 0)
    case 'not':
      return countConditions(rule.of)
    default:
      return 1
  }
}
