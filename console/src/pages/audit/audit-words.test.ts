import { create } from '@bufbuild/protobuf'
import { AuditEntrySchema } from '@contract/millrace/audit/v1/audit_log_service_pb.js'
import { AUDIT_ACTIONS } from '@domain/audit-actions.ts'
import { expect, test } from 'vitest'
import { actionOptions, changesOf, labelOfAction, labelOfField, textOfValue } from './audit-words.ts'

const writeTime = (ms: number): string => new Date(ms).toISOString()

test('every action has words', () => {
  const named = AUDIT_ACTIONS.filter((action) => /^[A-Z][\w -]+: [a-z][a-z -]+$/.test(labelOfAction(action)))
  expect(named).toEqual(AUDIT_ACTIONS)
  expect(labelOfAction('goal.create')).toBe('Goal: created')
  expect(new Set(actionOptions().map(({ label }) => label)).size).toBe(AUDIT_ACTIONS.length)
})

test('no action is shown by the word of the interface', () => {
  const verbs = AUDIT_ACTIONS.map((action) => action.split('.')[1] ?? '').filter((verb) => verb.includes('-'))
  expect(verbs.length).toBeGreaterThan(15)
  const labels = actionOptions().map(({ label }) => label)
  expect(verbs.filter((verb) => labels.some((label) => label.endsWith(`: ${verb}`)))).toEqual([])
})

test('an action and a field of a later release are shown as they are', () => {
  expect(labelOfAction('robot.oil')).toBe('robot: oil')
  expect(labelOfField('oil_level')).toBe('oil_level')
})

test.each([
  ['role', 'viewer', 'viewer'],
  ['role', '', 'Empty'],
  ['role', undefined, undefined],
  ['paused', '1', 'Yes'],
  ['paused', '0', 'No'],
  ['snooze_ms', '0', 'Empty'],
  ['snooze_ms', '1000', '1970-01-01T00:00:01.000Z'],
  ['share_id', 'set', 'Set'],
  ['share_id', 'changed', 'Set to another value'],
])('the value of %s that is %j is written %j', (field, value, expected) => {
  expect(textOfValue(field, value, writeTime)).toBe(expected)
})

test('a field that is empty before and after is no change', () => {
  const changes = [
    { field: 'description', after: '' },
    { field: 'name', after: 'Paid' },
  ]
  expect(changesOf(create(AuditEntrySchema, { changes }))).toEqual([
    { object: '', id: '', field: 'name', before: undefined, after: 'Paid' },
  ])
})
