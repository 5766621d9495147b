import { create } from '@bufbuild/protobuf'
import {
  AlertCadence,
  AlertContentSchema,
  AlertCondition_Operator as Operator,
  AlertCondition_Subject as Subject,
} from '@contract/millrace/alerts/v1/alert_pb.js'
import { InsightQuerySpecSchema, InsightType } from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import { expect, test } from 'vitest'
import { type AlertDraft, encodeAlert, firstPoint, newAlert, readAlert, rulesOf } from './alert-draft.ts'

const QUESTION = { case: 'savedInsightId', value: 'an-insight' } as const
const TRENDS = create(InsightQuerySpecSchema, { insightType: InsightType.TRENDS })

function draftWith(part: Partial<AlertDraft>): AlertDraft {
  const point = firstPoint(TRENDS)
  if (!point) throw new Error('trends have a number')
  return { ...newAlert('Orders', QUESTION, point), amount: '10', ...part }
}

test.each([
  ['above', '10', { subject: Subject.VALUE, operator: Operator.ABOVE, threshold: 10 }],
  ['below', '-2,5', { subject: Subject.VALUE, operator: Operator.BELOW, threshold: -2.5 }],
  ['fallsPercent', '30', { subject: Subject.CHANGE_PERCENT, operator: Operator.BELOW, threshold: -30 }],
  ['weekFalls', '0', { subject: Subject.WEEKLY_CHANGE, operator: Operator.BELOW, threshold: 0 }],
] as const)('%s %s is stored with its sign, and read without it', (rule, amount, condition) => {
  const content = encodeAlert(draftWith({ rule, amount }))
  expect(content?.condition).toMatchObject(condition)
  const read = content && readAlert(content)
  expect(read).toMatchObject({ rule, amount: amount.replace(',', '.') })
})

test('what is stored is what was read', () => {
  const content = create(AlertContentSchema, {
    name: 'Orders',
    note: 'Ask Mia',
    question: QUESTION,
    point: { kind: { case: 'series', value: { series: 1, breakdown: { plan: 'pro' } } } },
    condition: { subject: Subject.CHANGE, operator: Operator.BELOW, threshold: -4 },
    cadence: AlertCadence.WEEKLY,
    rangeUnits: 3,
    channelIds: ['a', 'b'],
    quietHours: { startMinute: 22 * 60 + 5, endMinute: 0, timeZone: 'Asia/Tokyo' },
    paused: true,
  })
  expect(encodeAlert(readAlert(content))).toEqual(content)
})

test.each([
  ['an empty limit', { amount: ' ' }],
  ['a limit that is no number', { amount: 'ten' }],
  ['quiet hours without a start', { quiet: { from: '', to: '07:00', timeZone: '' } }],
] as const)('%s is incomplete', (_, part) => {
  expect(encodeAlert(draftWith(part))).toBeUndefined()
})

test('paths and comparisons of cohorts have no number', () => {
  const paths = create(InsightQuerySpecSchema, { insightType: InsightType.USER_FLOW })
  expect(firstPoint(paths)).toBeUndefined()
  expect(firstPoint({ ...TRENDS, breakdownCohortIds: ['a'] })).toBeUndefined()
})

test('only hourly and daily alerts compare with a week before', () => {
  expect(rulesOf('daily')).toContain('weekFalls')
  expect(rulesOf('weekly')).not.toContain('weekFalls')
})
