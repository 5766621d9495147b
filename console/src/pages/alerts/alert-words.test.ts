import { create } from '@bufbuild/protobuf'
import {
  AlertSchema,
  AlertUnit,
  AlertCondition_Operator as Operator,
  AlertCheck_Outcome as Outcome,
  AlertCondition_Subject as Subject,
} from '@contract/millrace/alerts/v1/alert_pb.js'
import { expect, test } from 'vitest'
import { chartUnitOf, describeAlert, describeRule, writeNumberOf } from './alert-words.ts'

const alertOf = (unit: AlertUnit, subject: Subject, threshold: number) =>
  create(AlertSchema, {
    unit,
    content: {
      point: { kind: { case: 'series', value: {} } },
      condition: { subject, operator: threshold < 0 ? Operator.BELOW : Operator.ABOVE, threshold },
    },
    lastCheck: { outcome: Outcome.OK, value: 1234.5 },
  })

test.each([
  [AlertUnit.NUMBER, Subject.VALUE, 1200, 'is above 1,200', '1,234.5'],
  [AlertUnit.PERCENT, Subject.VALUE, 2.25, 'is above 2.25%', '1,234.5%'],
  [AlertUnit.PERCENT, Subject.CHANGE, -5, 'falls by more than 5 pp', '1,234.5%'],
  [AlertUnit.PERCENT, Subject.CHANGE_PERCENT, -5, 'falls by more than 5%', '1,234.5%'],
  [AlertUnit.SECONDS, Subject.VALUE, 90, 'is above 1m 30s', '20m 35s'],
  [AlertUnit.UNSPECIFIED, Subject.VALUE, 3, 'is above 3', '1,234.5'],
])('unit %s and subject %s: %s is written as "%s"', (unit, subject, threshold, words, number) => {
  const alert = alertOf(unit, subject, threshold)
  expect(describeAlert(alert)).toBe(words)
  expect(writeNumberOf(alert, alert.lastCheck)).toBe(number)
})

test('a limit that is being typed has its unit', () => {
  expect(describeRule('rises', '…', 'percent')).toBe('rises by more than … pp')
  expect(describeRule('risesPercent', '…', 'number')).toBe('rises by more than …%')
  expect(describeRule('above', '30', 'seconds')).toBe('is above 30s')
  expect(chartUnitOf('rises', 'percent')).toBe('number')
  expect(chartUnitOf('below', 'percent')).toBe('percent')
})
