import { expect, test } from 'vitest'
import { AggregationType } from '../../src/contract/gen/shared/insights/v1/event_query_pb.js'
import { InsightType } from '../../src/contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { answerSample, resultOf, sampleWorld } from './sample.ts'

const world = sampleWorld([
  { at: '10:00', kind: 'view', by: 'anna', properties: { n: 1.5 } },
  { at: '11:00', kind: 'buy', by: 'anna', properties: { n: 2.5 } },
  { at: '12:00', kind: 'buy', by: 'bob' },
  { at: '13:00', kind: 'stop', by: 'cookieless-x', properties: { n: 10n } },
])

function total(
  events: readonly { kind: string; aggregation?: AggregationType; property?: string }[],
  { includeCookieless = false } = {},
): number {
  const queries = events.map(({ kind, aggregation = AggregationType.UNSPECIFIED, property = '' }) => ({
    event: { kind },
    aggregation,
    aggregationProperty: property,
  }))
  const spec = { insightType: InsightType.SEGMENTATION, events: queries, includeCookieless }
  return resultOf(answerSample(world, spec), 'segmentation').total
}

test('no entry counts all events', () => {
  expect(total([])).toBe(4)
})

test('an event that matches two entries counts once', () => {
  expect(total([{ kind: '' }, { kind: 'buy' }])).toBe(4)
  expect(total([{ kind: 'view' }, { kind: 'buy' }])).toBe(3)
})

test('the metric of the first entry holds for all', () => {
  const first = { kind: 'view', aggregation: AggregationType.AVG, property: 'n' }
  expect(total([first, { kind: 'buy', aggregation: AggregationType.TOTAL }])).toBe(2)
})

test('cookieless visitors are users only on request', () => {
  const users = [{ kind: '', aggregation: AggregationType.UNIQUE_USERS }]
  const average = [{ kind: '', aggregation: AggregationType.PER_USER_AVG }]
  expect([total(users), total(average)]).toEqual([2, 1.5])
  expect([total(users, { includeCookieless: true }), total(average, { includeCookieless: true })]).toEqual([
    3,
    4 / 3,
  ])
})

test('numbers count every visitor', () => {
  expect(total([{ kind: '', aggregation: AggregationType.SUM, property: 'n' }])).toBe(14)
  expect(total([{ kind: 'none', aggregation: AggregationType.MIN, property: 'n' }])).toBe(0)
})
