import { create } from '@bufbuild/protobuf'
import { EventFilterSchema } from '@contract/common/v1/filter_pb.js'
import {
  type Goal,
  GoalSchema,
  GoalsServiceCreateRequestSchema,
} from '@contract/millrace/web/v1/goals_service_pb.js'
import { expect, test } from 'vitest'
import { conditionsOf, encodeGoal, isGoalComplete, NEW_GOAL, readGoal } from './goal-draft.ts'

const CONDITIONS = create(EventFilterSchema, {
  kind: 'purchase',
  filters: [{ property: 'plan' }, { property: 'price' }],
})
const GOALS: readonly (readonly [string, Goal])[] = [
  ['an event', create(GoalSchema, { name: 'Buy', target: { case: 'event', value: { kind: 'purchase' } } })],
  ['conditions', create(GoalSchema, { name: 'Big', target: { case: 'event', value: CONDITIONS } })],
  [
    'a page and a value',
    create(GoalSchema, {
      name: 'Docs',
      target: { case: 'pagePattern', value: '/docs/*' },
      valueProperty: 'price',
    }),
  ],
]

test.each(GOALS)('a goal with %s is stored as it was read', (_, goal) => {
  const { name, target, valueProperty } = create(GoalsServiceCreateRequestSchema, encodeGoal(readGoal(goal)))
  expect({ name, target, valueProperty }).toEqual({
    name: goal.name,
    target: goal.target,
    valueProperty: goal.valueProperty,
  })
})

test('conditions stay when the event changes, and go with the page', () => {
  const draft = {
    ...readGoal(create(GoalSchema, { target: { case: 'event', value: CONDITIONS } })),
    name: 'X',
  }
  expect(conditionsOf(draft)).toHaveLength(2)
  expect(encodeGoal({ ...draft, event: 'order' }).target).toMatchObject({
    value: { kind: 'order', filters: [{ property: 'plan' }, { property: 'price' }] },
  })
  const page = { ...draft, kind: 'page', pattern: ' /a ' } as const
  expect(conditionsOf(page)).toEqual([])
  expect(encodeGoal(page).target).toEqual({ case: 'pagePattern', value: '/a' })
})

test.each([
  ['nothing', NEW_GOAL, false],
  ['no name', { ...NEW_GOAL, name: ' ', event: 'purchase' }, false],
  ['no event', { ...NEW_GOAL, name: 'Buy' }, false],
  ['no path', { ...NEW_GOAL, name: 'Buy', kind: 'page', event: 'purchase', pattern: ' ' }, false],
  ['an event', { ...NEW_GOAL, name: 'Buy', event: 'purchase' }, true],
  ['conditions without an event', { ...NEW_GOAL, name: 'Buy', conditions: CONDITIONS }, true],
  ['a page', { ...NEW_GOAL, name: 'Docs', kind: 'page', pattern: '/docs' }, true],
] as const)('a draft with %s can be saved or not', (_, draft, isComplete) => {
  expect(isGoalComplete(draft)).toBe(isComplete)
})
