import { describe, expect, test } from 'vitest'
import { FilterOperator } from '../../src/contract/gen/common/v1/filter_pb.js'
import { Granularity, InsightType } from '../../src/contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { SessionMetric } from '../../src/contract/gen/shared/insights/v1/session_query_pb.js'
import { answerSample, resultOf, sampleWorld } from './sample.ts'

const world = sampleWorld([
  { session: 1, at: '09:50', properties: { page: 'home' } },
  { session: 1, at: '10:10', properties: { page: 'shop' } },
  { session: 2, at: '10:00', by: 'anna', properties: { page: 'home' } },
  { session: 2, at: '10:20:30', by: 'bob', properties: { page: 'shop' } },
  { session: 3, at: '11:00', by: 'cookieless-x', properties: { page: 'shop' } },
  { session: 4, at: '11:30', kind: 'buy', id: 20, properties: { page: 'last' } },
  { session: 4, at: '11:30', kind: 'buy', id: 10, properties: { page: 'home' } },
  { session: 4, at: '12:30', kind: 'view', properties: { page: 'home' } },
  { session: 5, at: '12:00', properties: { page: 'home' } },
])

const RANGE = { from: '10:00', to: '12:00', granularity: Granularity.HOUR }
const shop = { property: 'page', operator: FilterOperator.EQUALS, value: 'shop' }

function series(
  metric: SessionMetric,
  {
    scope = {},
    breakdowns = [],
    limit = 0,
  }: { scope?: object; breakdowns?: readonly string[]; limit?: number } = {},
): readonly string[] {
  const spec = {
    insightType: InsightType.TRENDS,
    session: { metric, scope },
    breakdowns: breakdowns.map((property) => ({ property })),
    breakdownLimit: limit,
  }
  return resultOf(answerSample(world, spec, RANGE), 'trends').series.map(
    ({ eventKind, breakdown, points }) =>
      `${eventKind} [${Object.values(breakdown)}]: ${points.map(({ value }) => value).join(' ')}`,
  )
}

describe('trends', () => {
  test('a session belongs to the bucket of its start, and is whole', () => {
    expect(series(SessionMetric.SESSIONS)).toEqual(['$session []: 1 2'])
    expect(series(SessionMetric.AVG_DURATION)).toEqual(['$session []: 1230 1800'])
    expect(series(SessionMetric.AVG_EVENTS_PER_SESSION)).toEqual(['$session []: 2 2'])
    expect(series(SessionMetric.BOUNCE_RATE)).toEqual(['$session []: 0 50'])
  })

  test('a scope chooses the events that take part, the first of which is the start', () => {
    expect(series(SessionMetric.SESSIONS, { scope: { filters: [shop] } })).toEqual(['$session []: 2 1'])
    expect(series(SessionMetric.BOUNCE_RATE, { scope: { filters: [shop] } })).toEqual([
      '$session []: 100 100',
    ])
    expect(series(SessionMetric.AVG_EVENTS_PER_SESSION, { scope: { kind: 'buy' } })).toEqual(['buy []: 0 2'])
  })

  test('entry counts by the first event and exit by the last, ties by id', () => {
    const byPage = { breakdowns: ['page'] }
    expect(series(SessionMetric.ENTRY, byPage)).toEqual(['$session [home]: 1 1', '$session [shop]: 0 1'])
    expect(series(SessionMetric.EXIT, byPage)).toEqual(['$session [shop]: 1 1', '$session [home]: 0 1'])
    expect(series(SessionMetric.EXIT, { ...byPage, scope: { kind: 'buy' } })).toEqual(['buy [last]: 0 1'])
  })

  test('other metrics break down by the first event and rank by themselves', () => {
    expect(series(SessionMetric.BOUNCE_RATE, { breakdowns: ['page'] })).toEqual([
      '$session [shop]: 0 100',
      '$session [home]: 0 0',
    ])
    expect(series(SessionMetric.AVG_DURATION, { breakdowns: ['page'], limit: 1 })).toEqual([
      '$session [home]: 1230 3600',
      '$session [$others]: 0 0',
    ])
  })
})

describe('segmentation', () => {
  test.each<[metric: keyof typeof SessionMetric, total: number]>([
    ['SESSIONS', 3],
    ['AVG_DURATION', 1610],
    ['BOUNCE_RATE', 100 / 3],
    ['AVG_EVENTS_PER_SESSION', 2],
  ])('%s is taken over all sessions of the range', (metric, total) => {
    const spec = { insightType: InsightType.SEGMENTATION, session: { metric: SessionMetric[metric] } }
    expect(resultOf(answerSample(world, spec, RANGE), 'segmentation').total).toBeCloseTo(total, 9)
  })

  test('no session is 0', () => {
    const spec = { insightType: InsightType.SEGMENTATION, session: { metric: SessionMetric.AVG_DURATION } }
    expect(resultOf(answerSample(sampleWorld([]), spec, RANGE), 'segmentation').total).toBe(0)
  })
})
