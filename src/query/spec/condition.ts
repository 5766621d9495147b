import type { Operands, Operator } from './operators.ts'
import type { Property } from './property.ts'

/** A predicate on an event: which events take part. */
export type Condition =
  | {
      readonly kind: 'match'
      readonly property: Property
      readonly operator: Operator
      readonly operands: Operands
    }
  | { readonly kind: 'all'; readonly of: readonly Condition[] }
  | { readonly kind: 'any'; readonly of: readonly Condition[] }

/** The condition that every event meets. */
export const ALWAYS: Condition = { kind: 'all', of: [] }
