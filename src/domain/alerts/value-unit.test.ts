import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { expect, test } from 'vitest'
import {
  AlertPointSchema,
  AlertFunnelPoint_Measure as Measure,
  AlertCondition_Subject as Subject,
} from '../../contract/gen/millrace/alerts/v1/alert_pb.js'
import { InsightQuerySpecSchema } from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { SessionMetric } from '../../contract/gen/shared/insights/v1/session_query_pb.js'
import { unitOfLimit, unitOfPoint } from './value-unit.ts'

type Kind = NonNullable<Exclude<MessageInitShape<typeof AlertPointSchema>, { $typeName: string }>['kind']>
type Spec = MessageInitShape<typeof InsightQuerySpecSchema>

const SERIES = { case: 'series', value: {} } as const
const CASES: readonly (readonly [what: string, unit: string, kind: Kind, spec: Spec])[] = [
  ['a series of events', 'number', SERIES, {}],
  ['a bounce rate', 'percent', SERIES, { session: { metric: SessionMetric.BOUNCE_RATE } }],
  ['an average duration', 'seconds', SERIES, { session: { metric: SessionMetric.AVG_DURATION } }],
  ['a retention', 'percent', { case: 'retention', value: { period: 1 } }, {}],
  ['a funnel rate', 'percent', { case: 'funnel', value: { step: 2, measure: Measure.RATE_FROM_FIRST } }, {}],
  ['a funnel step', 'number', { case: 'funnel', value: { step: 2, measure: Measure.TOTAL } }, {}],
  ['a row of a table', 'number', { case: 'row', value: { value: 'DE' } }, {}],
]

test.each(CASES)('the unit of %s is %s', (_, unit, kind, spec) => {
  expect(unitOfPoint(create(AlertPointSchema, { kind }), create(InsightQuerySpecSchema, spec))).toBe(unit)
})

test.each([
  [Subject.VALUE, 'percent', 'percent'],
  [Subject.CHANGE, 'percent', 'points'],
  [Subject.WEEKLY_CHANGE, 'percent', 'points'],
  [Subject.CHANGE_PERCENT, 'percent', 'percent'],
  [Subject.CHANGE_PERCENT, 'number', 'percent'],
  [Subject.WEEKLY_CHANGE_PERCENT, 'seconds', 'percent'],
  [Subject.CHANGE, 'seconds', 'seconds'],
] as const)('the limit of subject %s of a number in %s is in %s', (subject, unit, limit) => {
  expect(unitOfLimit({ subject }, unit)).toBe(limit)
})
