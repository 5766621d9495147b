import { isDeepStrictEqual } from 'node:util'
import type { EventMatch } from '../../filter/parse-filters.ts'

/**
 * What puts the events of a user in order, after their time. An event belongs at its lowest step, and among those of
 * one step the ids decide; they are twice as much to read and to sort as everything else, and cannot matter where
 * events of one lowest step are of the same steps altogether.
 */
export type StepOrder = 'by step' | 'by step and id'

/** Decides whether the ids of events can matter. */
export function planOrder(steps: readonly EventMatch[]): StepOrder {
  const isSettled = steps.every((step, index) =>
    steps.slice(index + 1).every((later) => areDisjoint(step, later) || implies(step, later)),
  )
  return isSettled ? 'by step' : 'by step and id'
}

/** Whether no event is of both steps. */
function areDisjoint(...[left, right]: readonly [EventMatch, EventMatch]): boolean {
  return left.kind !== '' && right.kind !== '' && left.kind !== right.kind
}

/** Whether every event of the first step is of the second one too. */
function implies(...[step, other]: readonly [EventMatch, EventMatch]): boolean {
  if (other.kind !== '' && other.kind !== step.kind) return false
  const { condition } = other
  return (
    (condition.kind === 'all' && condition.of.length === 0) || isDeepStrictEqual(condition, step.condition)
  )
}
