import { expect, test } from 'vitest'
import { FilterOperator } from '../../../contract/gen/common/v1/filter_pb.js'
import type { Condition } from '../../../domain/insights/condition.ts'
import type { EventMatch } from '../../../domain/insights/parse-filters.ts'
import { resolveProperty } from '../../../domain/insights/property.ts'
import { planOrder } from './attempts.ts'

function step(kind: string, plan?: string): EventMatch {
  const of: Condition[] =
    plan === undefined
      ? []
      : [
          {
            kind: 'match',
            property: resolveProperty('plan'),
            operator: FilterOperator.EQUALS,
            operands: { kind: 'text', text: plan },
          },
        ]
  return { kind, condition: { kind: 'all', of } }
}

test.each([
  ['one step', [step('a', 'x')]],
  ['different kinds', [step('a', 'x'), step('b'), step('c', 'y')]],
  ['a kind that repeats', [step('a'), step('b'), step('a')]],
  ['equal conditions on a kind that repeats', [step('a', 'x'), step('b'), step('a', 'x')]],
  ['a kind before every kind', [step('a'), step('')]],
  ['a narrower step before a wider one', [step('a', 'x'), step('a')]],
])('%s: ids cannot matter', (_, steps) => {
  expect(planOrder(steps)).toBe('by step')
})

test.each([
  ['every kind before a kind', [step(''), step('a')]],
  ['a wider step before a narrower one', [step('a'), step('a', 'x')]],
  ['different conditions on a kind', [step('a', 'x'), step('a', 'y')]],
  ['every kind with a condition after a kind', [step('a'), step('b'), step('', 'x')]],
])('%s: ids decide', (_, steps) => {
  expect(planOrder(steps)).toBe('by step and id')
})
