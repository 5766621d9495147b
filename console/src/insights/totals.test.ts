import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { AggregationType } from '@contract/shared/insights/v1/event_query_pb.js'
import { InsightQuerySpecSchema, InsightType } from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import { QueryResponseSchema } from '@contract/shared/insights/v1/insights_service_pb.js'
import { SessionMetric } from '@contract/shared/insights/v1/session_query_pb.js'
import { describe, expect, test } from 'vitest'
import { loadTotals, sumTotals } from './totals.ts'

const { TOTAL, SUM, UNIQUE_USERS } = AggregationType

const specOf = (init: MessageInitShape<typeof InsightQuerySpecSchema>) =>
  create(InsightQuerySpecSchema, { insightType: InsightType.TRENDS, ...init })

const event = (kind: string, aggregation: AggregationType) => ({ event: { kind }, aggregation })

const answer = (...series: readonly { kind: string; values: readonly number[]; browser?: string }[]) =>
  create(QueryResponseSchema, {
    result: {
      case: 'trends',
      value: {
        series: series.map(({ kind, values, browser }) => ({
          eventKind: kind,
          breakdown: browser === undefined ? {} : { browser },
          points: values.map((value) => ({ value })),
        })),
      },
    },
  }).result

const view = { kind: 'view', values: [1, 2] }
const sale = { kind: 'sale', values: [10, 20] }

describe('the values over the range', () => {
  test('are sums where those of the buckets add up, and asked otherwise', async () => {
    const spec = specOf({ events: [event('view', TOTAL), event('sale', UNIQUE_USERS)] })
    const asked: string[] = []
    const totals = await loadTotals(spec, answer(view, sale), async ({ insightType, events }) => {
      asked.push(`${InsightType[insightType]} ${events.map((one) => one.event?.kind).join()}`)
      return 17
    })
    expect([totals, asked]).toEqual([[3, 17], ['SEGMENTATION sale']])
  })

  test('of sessions are sums of their number only', async () => {
    const sessions = { ...view, kind: '$session' }
    const of = async (metric: SessionMetric) =>
      await loadTotals(specOf({ session: { metric } }), answer(sessions), async () => 9)
    expect(await of(SessionMetric.SESSIONS)).toEqual([3])
    expect(await of(SessionMetric.BOUNCE_RATE)).toEqual([9])
  })

  test('are unknown for rolling people and for formulas, and nothing is asked', async () => {
    const spec = specOf({
      events: [event('view', AggregationType.ROLLING_7_DAY_USERS), event('', TOTAL)],
      formulas: [{ expression: 'A / B' }],
    })
    const { result } = create(QueryResponseSchema, {
      result: {
        case: 'trends',
        value: {
          series: [
            { eventKind: 'view', points: [{ value: 3 }] },
            { eventKind: '', points: [{ value: 4 }, { value: 5 }] },
            { formula: 'A / B', points: [{ value: 1 }] },
          ],
        },
      },
    })
    const refuse = async (): Promise<number> => await Promise.reject(new Error('asked'))
    expect(await loadTotals(spec, result, refuse)).toEqual([undefined, 9, undefined])
  })

  test('are unknown for breakdowns that do not add up, and nothing is asked', async () => {
    const spec = specOf({ events: [event('view', UNIQUE_USERS)], breakdowns: [{ property: 'browser' }] })
    const refuse = async (): Promise<number> => await Promise.reject(new Error('asked'))
    expect(await loadTotals(spec, answer({ ...view, browser: 'A' }), refuse)).toEqual([undefined])
    expect(sumTotals(specOf({ events: [event('view', UNIQUE_USERS)] }), { result: answer(view) })).toEqual([
      { value: undefined, previous: undefined },
    ])
  })

  test('are paired with those of the same series in the previous period, in any order', () => {
    const spec = specOf({ events: [event('', SUM)], breakdowns: [{ property: 'browser' }] })
    const [a, b] = [
      { ...view, browser: 'A' },
      { ...view, browser: 'B', values: [7] },
    ]
    expect(sumTotals(spec, { result: answer(a, b), previous: answer(b) })).toEqual([
      { value: 3, previous: undefined },
      { value: 7, previous: 7 },
    ])
  })
})
