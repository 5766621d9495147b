import '../../cohorts/messages.ts'
import { expect, test } from 'vitest'
import { type ConditionDraft, newCondition, type RowDraft } from './cohort-draft.ts'
import { type ConditionNames, describeRow } from './describe-condition.ts'

const NAMES: ConditionNames = { nameOfCohort: () => 'Staff', typeOf: () => 'text' }

const bought: ConditionDraft = {
  kind: 'performed',
  event: 'purchase',
  filters: [],
  days: 30,
  operator: 'OPERATOR_AT_LEAST',
  count: 2,
  isNegated: false,
}
const pro: ConditionDraft = {
  kind: 'property',
  filter: {
    property: 'plan',
    operator: 'FILTER_OPERATOR_EQUALS',
    values: ['pro'],
    source: 'PROPERTY_SOURCE_PROFILE',
  },
  isNegated: false,
}
const group: RowDraft = { kind: 'group', operator: 'LOGICAL_OPERATOR_OR', conditions: [bought, pro] }

test.each<readonly [string, RowDraft]>([
  ['purchase at least 2×', bought],
  ['Not: purchase at least 2×', { ...bought, isNegated: true }],
  ['First performed All events', newCondition('first')],
  ['plan is pro', pro],
  ['Person is not in Staff', { kind: 'cohort', cohortId: 'c', isNegated: true }],
  ['purchase at least 2× or plan is pro', group],
])('a row is described as "%s"', (text, row) => {
  expect(describeRow(row, NAMES)).toBe(text)
})
