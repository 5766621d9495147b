import { fromJson } from '@bufbuild/protobuf'
import { expect, test } from 'vitest'
import { QueryRequestSchema } from '../contract/gen/shared/insights/v1/insights_service_pb.js'
import { MessageRules } from './message-rules.ts'

function check(conversionWindow: string): string[] {
  const message = fromJson(QueryRequestSchema, {
    spec: { insightType: 'INSIGHT_TYPE_FUNNEL', conversionWindow },
    timeRange: { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' },
    granularity: 'GRANULARITY_DAY',
  })
  return new MessageRules().check(QueryRequestSchema, message).map(({ field }) => field)
}

test('a value that a rule cannot count with breaks it', () => {
  expect(check('60s')).toEqual([])
  expect(check('0.5s')).toContain('spec.conversionWindow')
  expect(check('315576000000s')).toEqual([''])
})
