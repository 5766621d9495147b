import type { MessageInitShape } from '@bufbuild/protobuf'
import { describe, expect, test } from 'vitest'
import { FilterOperator } from '../../src/contract/gen/common/v1/filter_pb.js'
import { AggregationType } from '../../src/contract/gen/shared/insights/v1/event_query_pb.js'
import {
  Granularity,
  type InsightQuerySpecSchema,
  InsightType,
} from '../../src/contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { answerSample, resultOf, sampleProfile, sampleWorld } from './sample.ts'

type Spec = MessageInitShape<typeof InsightQuerySpecSchema>

const merged = sampleProfile('bob', { anonymousIds: ['anon-bob'] })
const world = sampleWorld(
  [
    { at: '10:00', by: 'anna', properties: { plan: 'free', n: 2n } },
    { at: '10:30', by: 'anna', properties: { plan: 'pro', n: 4 } },
    { at: '11:00', by: 'anon-bob', properties: { plan: 'pro', n: '6' } },
    { at: '11:59:59.999', by: 'bob', properties: { plan: 'pro', n: ' 8' } },
    { at: '12:00', kind: 'buy', by: 'profile-bob', properties: { plan: '', n: -3 } },
    { at: '12:10', by: 'cookieless-x' },
    { at: '13:00', kind: 'buy', by: 'carl', properties: { plan: 'Pro' } },
  ],
  [merged],
)

const HOURS = { from: '10:00', to: '13:00', granularity: Granularity.HOUR }

/** Series as `kind values: points`. */
function series(
  spec: Omit<Spec, '$typeName'>,
  sample: Parameters<typeof answerSample>[2] = HOURS,
): readonly string[] {
  const answer = answerSample(world, { insightType: InsightType.TRENDS, ...spec }, sample)
  return resultOf(answer, 'trends').series.map(
    ({ eventKind, breakdown, points }) =>
      `${eventKind} ${Object.values(breakdown)
        .map((value) => `[${value}]`)
        .join('')}: ${points.map(({ value }) => value).join(' ')}`,
  )
}

const of = (aggregation: AggregationType, kind = '', aggregationProperty = '') => ({
  aggregation,
  aggregationProperty,
  event: { kind },
})

describe('without breakdowns', () => {
  test('no entry counts all events', () => {
    expect(series({})).toEqual([' : 2 2 2'])
  })

  test('entries answer in the order of the request', () => {
    const events = [
      of(AggregationType.TOTAL, 'buy'),
      of(AggregationType.TOTAL, 'view'),
      { event: { kind: 'none' } },
    ]
    expect(series({ events })).toEqual(['buy : 0 0 1', 'view : 2 2 1', 'none : 0 0 0'])
  })

  test('ids of one person are one user, and cookieless visitors are none', () => {
    expect(series({ events: [of(AggregationType.UNIQUE_USERS)] })).toEqual([' : 1 1 1'])
    expect(series({ events: [of(AggregationType.UNIQUE_USERS)], includeCookieless: true })).toEqual([
      ' : 1 1 2',
    ])
  })

  test('an average per user has neither events nor users of cookieless visitors', () => {
    expect(series({ events: [of(AggregationType.PER_USER_AVG)] })).toEqual([' : 2 2 1'])
    expect(series({ events: [of(AggregationType.PER_USER_AVG, 'none')] })).toEqual(['none : 0 0 0'])
  })

  test('percentiles are elements of the values, the median the mean of the two in the middle', () => {
    const { MEDIAN, P75, P90, P99 } = AggregationType
    const events = [MEDIAN, P75, P90, P99].map((aggregation) => of(aggregation, '', 'n'))
    expect(series({ events }, { ...HOURS, granularity: Granularity.DAY })).toEqual([
      ' : 3',
      ' : 4',
      ' : 6',
      ' : 6',
    ])
    expect(series({ events: [of(MEDIAN, '', 'nowhere')] })).toEqual([' : 0 0 0'])
  })

  test('different texts of a property count, but for the empty one, and different sessions', () => {
    const events = [of(AggregationType.DISTINCT_VALUES, '', 'plan'), of(AggregationType.UNIQUE_SESSIONS)]
    expect(series({ events }, { ...HOURS, to: '14:00', granularity: Granularity.DAY })).toEqual([
      ' : 3',
      ' : 1',
    ])
  })

  test('numbers that are text count, other text is skipped, and nothing is 0', () => {
    const events = [AggregationType.SUM, AggregationType.AVG, AggregationType.MIN, AggregationType.MAX].map(
      (aggregation) => of(aggregation, '', 'n'),
    )
    expect(series({ events }, { ...HOURS, to: '14:00' })).toEqual([
      ' : 6 6 -3 0',
      ' : 3 6 -3 0',
      ' : 2 6 -3 0',
      ' : 4 6 -3 0',
    ])
  })

  test('filters of the series and of the spec both have to match', () => {
    const isPro = { property: 'plan', operator: FilterOperator.EQUALS, value: 'pro' }
    const isSmall = { property: 'n', operator: FilterOperator.LT, value: '5' }
    const events = [{ event: { filters: [isPro] } }]
    expect(series({ events, filterGroups: [{ filters: [isSmall] }] })).toEqual([' : 1 0 0'])
  })
})

describe('with breakdowns', () => {
  const breakdowns = [{ property: 'plan' }]

  test('values go by total, then by their bytes; missing is empty', () => {
    expect(series({ breakdowns }, { ...HOURS, to: '14:00' })).toEqual([
      ' [pro]: 1 2 0 0',
      ' []: 0 0 2 0',
      ' [Pro]: 0 0 0 1',
      ' [free]: 1 0 0 0',
    ])
  })

  test('the rest is recomputed and not summed', () => {
    const events = [of(AggregationType.UNIQUE_USERS)]
    expect(
      series({ breakdowns, breakdownLimit: 1, events }, { ...HOURS, granularity: Granularity.DAY }),
    ).toEqual([' [pro]: 2', ' [$others]: 2'])
    expect(
      series({ breakdowns, breakdownLimit: 3, events }, { ...HOURS, granularity: Granularity.DAY }),
    ).toEqual([' [pro]: 2', ' []: 1', ' [free]: 1'])
  })

  test('several properties rank as one', () => {
    const two = [{ property: 'plan' }, { property: 'n' }]
    expect(series({ breakdowns: two }, { ...HOURS, to: '11:30' })).toEqual([
      ' [free][2]: 1 0',
      ' [pro][4]: 1 0',
      ' [pro][6]: 0 1',
    ])
  })

  test('no event is no series', () => {
    expect(series({ breakdowns, events: [{ event: { kind: 'none' } }] })).toEqual([])
  })

  test('an event that is not counted makes no series', () => {
    const events = [of(AggregationType.UNIQUE_USERS)]
    expect(series({ breakdowns, events }, { from: '12:05', to: '12:30' })).toEqual([])
    expect(series({ breakdowns }, { from: '12:05', to: '12:30' })).toEqual([' []: 1'])
  })

  test('ten values are named by default', () => {
    const many = sampleWorld(
      Array.from({ length: 12 }, (_, index) => ({ at: '10:00', properties: { n: BigInt(index + 10) } })),
    )
    const answer = answerSample(many, { insightType: InsightType.TRENDS, breakdowns: [{ property: 'n' }] })
    const values = resultOf(answer, 'trends').series.map(({ breakdown }) => breakdown.n)
    expect(values).toEqual(['10', '11', '12', '13', '14', '15', '16', '17', '18', '19', '$others'])
  })
})

test('points carry the starts of their buckets in the zone', () => {
  const sample = { ...HOURS, granularity: Granularity.DAY, timezone: 'Asia/Kathmandu' }
  const answer = answerSample(world, { insightType: InsightType.TRENDS }, sample)
  const points = resultOf(answer, 'trends').series.flatMap((each) => each.points)
  expect(points.map(({ time }) => time?.seconds)).toEqual([BigInt(Date.parse('2026-01-04T18:15:00Z') / 1000)])
})
