import { isDeepStrictEqual } from 'node:util'
import type { EventMatch } from '../../spec/parse-filters.ts'

/**
 * Tie-breaker for a user's events of the same time. An event counts for its lowest step, and ids decide within a step.
 * Ids cost twice as much to read and sort as everything else, and cannot matter when all events with the same lowest
 * step match the same set of steps.
 */
export type StepOrder = 'by step' | 'by step and id'

/** Decides whether event ids can affect the result. */
export function planOrder(steps: readonly EventMatch[]): StepOrder {
  const isSettled = steps.every((step, index) =>
    steps.slice(index + 1).every((later) => areDisjoint(step, later) || implies(step, later)),
  )
  return isSettled ? 'by step' : 'by step and id'
}

/** Whether no event can match both steps. */
function areDisjoint(...[left, right]: readonly [EventMatch, EventMatch]): boolean {
  return left.kind !== '' && right.kind !== '' && left.kind !== right.kind
}

/** Whether every event that matches the first step also matches the second. */
function implies(...[step, other]: readonly [EventMatch, EventMatch]): boolean {
  if (other.kind !== '' && other.kind !== step.kind) return false
  const { condition } = other
  return (
    (condition.kind === 'all' && condition.of.length === 0) || isDeepStrictEqual(condition, step.condition)
  )
}
