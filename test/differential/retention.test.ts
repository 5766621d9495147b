import { describe, expect, test } from 'vitest'
import { Granularity, InsightType } from '../../src/contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import type { ReferenceWorld } from './model.ts'
import { answer } from './reference.ts'
import { RETENTION_CASES, retentionRequest, writeSeries } from './retention-cases.ts'
import { answerSample, type EventSample, january, resultOf, sampleProfile, sampleWorld } from './sample.ts'

const RANGE = { from: january(5, '00:00'), to: january(8, '00:00') }

/** Cohorts as `size: percentages`, by breakdown value. */
function matrix(
  world: ReferenceWorld,
  {
    kinds,
    breakdowns = [],
    limit = 0,
  }: { kinds: readonly string[]; breakdowns?: readonly string[]; limit?: number },
): Record<string, readonly string[]> {
  const spec = {
    insightType: InsightType.RETENTION,
    events: kinds.map((kind) => ({ event: { kind } })),
    breakdowns: breakdowns.map((property) => ({ property })),
    breakdownLimit: limit,
  }
  const { series } = resultOf(answerSample(world, spec, RANGE), 'retention')
  return Object.fromEntries(
    series.map(({ breakdown, cohorts }) => [
      Object.values(breakdown).join(),
      cohorts.map(({ cohortSize, points }) => `${cohortSize}: ${points.map(({ value }) => value).join(' ')}`),
    ]),
  )
}

const visits: readonly EventSample[] = [
  { at: january(4), by: 'anna' },
  { at: january(5), by: 'anna' },
  { at: january(7), by: 'anna' },
  { at: january(5), by: 'bob' },
  { at: january(6), by: 'carl' },
  { at: january(6), by: 'cookieless-x' },
]

describe('the matrix', () => {
  test('the return event is the start event by default', () => {
    expect(matrix(sampleWorld(visits), { kinds: ['view'] })).toEqual({
      '': ['2: 100 0 50', '1: 100 0', '0: 0'],
    })
  })

  test('a return counts from the very instant of the start on', () => {
    const world = sampleWorld([
      { at: january(5, '11:59'), kind: 'buy' },
      { at: january(5), kind: 'view' },
      { at: january(5), kind: 'buy', by: 'bob' },
      { at: january(5), kind: 'view', by: 'bob' },
      { at: january(8, '00:00'), kind: 'buy' },
    ])
    expect(matrix(world, { kinds: ['view', 'buy'] })).toEqual({ '': ['2: 50 0 0', '0: 0 0', '0: 0'] })
  })

  test('a user is in one cohort, under any id', () => {
    const world = sampleWorld(
      [
        { at: january(5), by: 'anon-1' },
        { at: january(6), by: 'anna' },
      ],
      [sampleProfile('anna', { anonymousIds: ['anon-1'] })],
    )
    expect(matrix(world, { kinds: [''] })).toEqual({ '': ['1: 100 100 0', '0: 0 0', '0: 0'] })
  })

  test('a matrix without users has only zeros', () => {
    expect(matrix(sampleWorld([]), { kinds: ['view'] })).toEqual({ '': ['0: 0 0 0', '0: 0 0', '0: 0'] })
  })
})

describe('breakdowns', () => {
  const world = sampleWorld([
    { at: january(5), id: 9, properties: { plan: 'late id' } },
    { at: january(5), id: 2, properties: { plan: 'early id' } },
    { at: january(6), id: 1, properties: { plan: 'later' } },
    { at: january(5), by: 'bob', id: 11, properties: { plan: 'b' } },
    { at: january(6), by: 'carl', id: 12, properties: { plan: 'b' } },
  ])

  test('the first start event has the value, ties go to the lowest id', () => {
    expect(matrix(world, { kinds: ['view'], breakdowns: ['plan'] })).toEqual({
      b: ['1: 100 0 0', '1: 100 0', '0: 0'],
      'early id': ['1: 100 100 0', '0: 0 0', '0: 0'],
    })
  })

  test('the rest is one series', () => {
    const rest = matrix(world, { kinds: ['view'], breakdowns: ['plan'], limit: 1 })
    expect(Object.keys(rest)).toEqual(['b', '$others'])
  })

  test('no start event is no series', () => {
    expect(matrix(world, { kinds: ['none'], breakdowns: ['plan'] })).toEqual({})
  })
})

test('a cohort is named by the start of its bucket', () => {
  const spec = { insightType: InsightType.RETENTION, events: [{ event: { kind: '' } }] }
  const sample = {
    ...RANGE,
    to: january(6, '23:00'),
    granularity: Granularity.DAY,
    timezone: 'Europe/Berlin',
  }
  const [series] = resultOf(answerSample(sampleWorld([]), spec, sample), 'retention').series
  expect(series?.cohorts.map(({ cohort }) => cohort)).toEqual([
    '2026-01-04T23:00:00Z',
    '2026-01-05T23:00:00Z',
  ])
})

test.each(RETENTION_CASES)('%s', (_title, events, retentionCase, expected) => {
  const { series } = resultOf(answer(sampleWorld(events), retentionRequest(retentionCase)), 'retention')
  expect(series.map(writeSeries)).toEqual([expected])
})
