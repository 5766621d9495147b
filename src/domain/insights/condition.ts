import { FilterOperator } from '../../contract/gen/common/v1/filter_pb.js'
import type { CohortRule } from './cohort-rule.ts'
import type { Property } from './property.ts'

/** A predicate on an event. */
export type Condition =
  | {
      readonly kind: 'match'
      readonly property: Property
      readonly operator: Operator
      readonly operands: Operands
    }
  | { readonly kind: 'all'; readonly of: readonly Condition[] }
  | { readonly kind: 'any'; readonly of: readonly Condition[] }
  /** The event is one of a user of a cohort, and not a cookieless one. */
  | { readonly kind: 'cohort'; readonly rule: CohortRule }

/** The condition that every event satisfies. */
export const ALWAYS: Condition = { kind: 'all', of: [] }

/** The operators that a filter may name. */
export type Operator = Exclude<FilterOperator, FilterOperator.UNSPECIFIED>

/** A filter's operands, of the kind that its operator takes. */
export type Operands =
  | { readonly kind: 'none' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'texts'; readonly texts: readonly string[] }
  | { readonly kind: 'number'; readonly number: number }
  | { readonly kind: 'numbers'; readonly low: number; readonly high: number }

/** The operands of an operator, and whether a missing property matches. */
export interface OperatorRule {
  readonly takes: Operands['kind']
  readonly matchesMissing: boolean
}

/** Every operator. A missing property matches the negated comparisons and `IS_NOT_SET`, and no other operator. */
export const OPERATORS = {
  [FilterOperator.EQUALS]: { takes: 'text', matchesMissing: false },
  [FilterOperator.NOT_EQUALS]: { takes: 'text', matchesMissing: true },
  [FilterOperator.CONTAINS]: { takes: 'text', matchesMissing: false },
  [FilterOperator.NOT_CONTAINS]: { takes: 'text', matchesMissing: true },
  [FilterOperator.IS_SET]: { takes: 'none', matchesMissing: false },
  [FilterOperator.IS_NOT_SET]: { takes: 'none', matchesMissing: true },
  [FilterOperator.IN]: { takes: 'texts', matchesMissing: false },
  [FilterOperator.NOT_IN]: { takes: 'texts', matchesMissing: true },
  [FilterOperator.LT]: { takes: 'number', matchesMissing: false },
  [FilterOperator.LTE]: { takes: 'number', matchesMissing: false },
  [FilterOperator.GT]: { takes: 'number', matchesMissing: false },
  [FilterOperator.GTE]: { takes: 'number', matchesMissing: false },
  [FilterOperator.BETWEEN]: { takes: 'numbers', matchesMissing: false },
  [FilterOperator.NOT_BETWEEN]: { takes: 'numbers', matchesMissing: false },
} as const satisfies Record<Operator, OperatorRule>
