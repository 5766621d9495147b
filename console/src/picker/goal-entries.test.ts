import { create } from '@bufbuild/protobuf'
import { FilterOperator } from '@contract/common/v1/filter_pb.js'
import { type Goal, GoalSchema } from '@contract/millrace/web/v1/goals_service_pb.js'
import { expect, test } from 'vitest'
import { goalEntries } from './goal-entries.ts'

function goal(target: Goal['target']): Goal {
  return create(GoalSchema, { id: '1', name: 'Paid', target })
}

test('a goal of an event brings its conditions', () => {
  const filters = [
    { property: 'price', operator: FilterOperator.GTE, value: '1' },
    { property: '$country', operator: FilterOperator.IN, values: ['DE', 'AT'] },
  ]
  const target = { case: 'event', value: { kind: 'purchase', filters } } as const
  const [entry] = goalEntries([create(GoalSchema, { id: '1', name: 'Paid', target })])
  expect(entry).toMatchObject({
    kind: 'goal',
    label: 'Paid',
    event: 'purchase',
    description: 'purchase where price ≥ 1, and Country is any of Germany, Austria',
    filters: [
      { property: 'price', source: 'PROPERTY_SOURCE_CUSTOM', values: ['1'] },
      { property: '$country', source: 'PROPERTY_SOURCE_AUTO', values: ['DE', 'AT'] },
    ],
  })
})

test('a goal of one page is a view of it, and one of many pages cannot be asked as an event', () => {
  const [entry] = goalEntries([goal({ case: 'pagePattern', value: '/thanks' })])
  expect(entry).toMatchObject({
    event: 'page_view',
    filters: [{ property: '$pathname', values: ['/thanks'] }],
  })
  expect(goalEntries([goal({ case: 'pagePattern', value: '/docs/*' })])).toEqual([])
})
