import { create, fromJson, type JsonObject } from '@bufbuild/protobuf'
import { expect, test } from 'vitest'
import { UpdateMetaRequestSchema } from './gen/dashboard/projects/v1/projects_service_pb.js'
import { QueryRequestSchema } from './gen/shared/insights/v1/insights_service_pb.js'
import { MessageRules } from './message-rules.ts'

const VALID = {
  timeRange: { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' },
  granularity: 'GRANULARITY_DAY',
}

/** The violations of a query of trends, as `field: description`. */
function check(spec: JsonObject, request: JsonObject = {}): string[] {
  const trends = { insightType: 'INSIGHT_TYPE_TRENDS', ...spec }
  const message = fromJson(QueryRequestSchema, { ...VALID, spec: trends, ...request })
  return new MessageRules()
    .check(QueryRequestSchema, message)
    .map(({ field, description }) => `${field}: ${description}`)
}

test.each<readonly [why: string, violations: readonly string[], expected: string]>([
  ['a bound', check({ userFlow: { maxHops: 11 } }), 'spec.userFlow.maxHops: must be 0 to 10'],
  ['a known value', check({}, { granularity: 99 }), 'granularity: is not a known value'],
  ['entries', check({ filterGroups: [{}] }), 'spec.filterGroups[0].filters: must not be empty'],
  [
    'many entries',
    check({ cohorts: Array(21).fill({ cohortId: 'x' }) }),
    'spec.cohorts: must have at most 20 entries',
  ],
  [
    'a text',
    check({ userFlow: { startAt: { node: 'a'.repeat(2001) } } }),
    'spec.userFlow.startAt.node: must have at most 2000 characters',
  ],
  [
    'one field of several, which have names of their own',
    check({}, { compareTo: {} }),
    'compareTo: needs exactly one of previousPeriod, shift',
  ],
  [
    'the field that the rule of a message begins with',
    check({ events: [{ aggregation: 'AGGREGATION_TYPE_SUM' }] }),
    'spec.events[0].aggregationProperty: is required for SUM, AVG, MIN, MAX, MEDIAN, percentiles and DISTINCT_VALUES',
  ],
  [
    'a message as a whole',
    check({}, { timeRange: { from: VALID.timeRange.to, to: VALID.timeRange.from } }),
    'timeRange: from must be before to',
  ],
])('a violation names %s', (_, violations, expected) => {
  expect(violations).toEqual([expected])
})

test.each([
  ['', []],
  [' Shop ', []],
  [' \t\n\u00a0', [{ field: 'displayName', description: 'must not be blank' }]],
])('a project can keep its name or get one with more than spaces: %j', (displayName, violations) => {
  const message = create(UpdateMetaRequestSchema, { displayName })
  expect(new MessageRules().check(UpdateMetaRequestSchema, message)).toEqual(violations)
})
