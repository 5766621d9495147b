import { fromJson } from '@bufbuild/protobuf'
import { expect, test } from 'vitest'
import { AlertContentSchema } from '../../src/contract/gen/millrace/alerts/v1/alert_pb.js'
import { InsightQuerySpecSchema } from '../../src/contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { keyOf } from '../../src/control/alerts/find-number.ts'
import { checkAlert, planAlert } from '../../src/domain/alerts/alert-question.ts'
import { ALERTS, alertContents } from './alert-mix.ts'

const HOUR = { fromMs: Date.UTC(2026, 9, 20, 12), toMs: Date.UTC(2026, 9, 20, 13) }

test('a thousand valid alerts ask three hundred questions about an hour', () => {
  const questions = alertContents().map((json) => {
    const content = fromJson(AlertContentSchema, json)
    const spec = fromJson(InsightQuerySpecSchema, json.spec ?? {})
    checkAlert(content, spec)
    return keyOf(planAlert(content, spec).about(HOUR, 'UTC').main)
  })
  expect([questions.length, new Set(questions).size]).toEqual([ALERTS, 300])
})
