import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { AggregationType } from '@contract/shared/insights/v1/event_query_pb.js'
import { InsightQuerySpecSchema, InsightType } from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import { QueryResponseSchema } from '@contract/shared/insights/v1/insights_service_pb.js'
import type { SegmentationResultSchema } from '@contract/shared/insights/v1/query_result_pb.js'
import { SessionMetric } from '@contract/shared/insights/v1/session_query_pb.js'
import type { ComparedResult } from '@domain/insights/totals.ts'
import { loadTotals, sumTotals } from '@domain/insights/totals.ts'
import { describe, expect, test } from 'vitest'

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

const numbers = (value: MessageInitShape<typeof SegmentationResultSchema>) =>
  create(QueryResponseSchema, { result: { case: 'segmentation', value } }).result

const only = (result: ComparedResult['result']): ComparedResult => ({ result, previous: undefined })

const refuse = async (): Promise<ComparedResult> => await Promise.reject(new Error('asked'))

const view = { kind: 'view', values: [1, 2] }
const sale = { kind: 'sale', values: [10, 20] }

describe('the values over the range', () => {
  test('are sums where those of the buckets add up, and asked in one query otherwise', async () => {
    const spec = specOf({ events: [event('view', TOTAL), event('sale', UNIQUE_USERS)], breakdownLimit: 5 })
    const asked: string[] = []
    const totals = await loadTotals(
      spec,
      { result: answer(view, sale), previous: answer(sale) },
      async (one) => {
        asked.push(
          `${InsightType[one.insightType]} ${one.breakdownLimit} ${one.events.map(({ event: of }) => of?.kind).join()}`,
        )
        return { result: numbers({ values: [4, 17] }), previous: numbers({ values: [4, 11] }) }
      },
    )
    // The series of the compared range is that of the second event, the numbers are those of both.
    expect(totals.map(({ value }) => value)).toEqual([3, 17])
    expect(asked).toEqual(['SEGMENTATION 0 view,sale'])
  })

  test('of sessions are sums of their number only', async () => {
    const sessions = { ...view, kind: '$session' }
    const of = async (metric: SessionMetric) =>
      await loadTotals(specOf({ session: { metric } }), only(answer(sessions)), async () =>
        only(numbers({ total: 9 })),
      )
    expect(await of(SessionMetric.SESSIONS)).toEqual([{ value: 3 }])
    expect(await of(SessionMetric.BOUNCE_RATE)).toEqual([{ value: 9 }])
  })

  test('of formulas are those of the service, and unknown beside rolling people', async () => {
    const formulas = [{ expression: '100 * B / A' }]
    const { result } = create(QueryResponseSchema, {
      result: {
        case: 'trends',
        value: {
          series: [
            { eventKind: 'view', points: [{ value: 3 }] },
            { eventKind: '', points: [{ value: 4 }, { value: 5 }] },
            { formula: '100 * B / A', points: [{ value: 1 }] },
          ],
        },
      },
    })
    const spec = specOf({ events: [event('view', UNIQUE_USERS), event('', TOTAL)], formulas })
    const ask = async () => only(numbers({ values: [2, 9, 450] }))
    expect(await loadTotals(spec, only(result), ask)).toEqual([{ value: 2 }, { value: 9 }, { value: 450 }])
    const rolling = specOf({
      events: [event('view', AggregationType.ROLLING_7_DAY_USERS), event('', TOTAL)],
      formulas,
    })
    expect(await loadTotals(rolling, only(result), refuse)).toEqual([{}, { value: 9 }, {}])
  })

  test('of compared cohorts are those of the cohort and the event', async () => {
    const spec = specOf({
      events: [event('view', UNIQUE_USERS), event('sale', UNIQUE_USERS)],
      breakdownCohortIds: ['a', 'b'],
    })
    const result = answer(...[view, view, sale, sale].map((one, at) => ({ ...one, browser: String(at) })))
    const ask = async () => only(numbers({ series: [{ values: [1, 3] }, { values: [2, 4] }] }))
    const totals = await loadTotals(spec, only(result), ask)
    expect(totals.map(({ value }) => value)).toEqual([1, 2, 3, 4])
  })

  test('are unknown for breakdowns that do not add up, and nothing is asked', async () => {
    const spec = specOf({ events: [event('view', UNIQUE_USERS)], breakdowns: [{ property: 'browser' }] })
    expect(await loadTotals(spec, only(answer({ ...view, browser: 'A' })), refuse)).toEqual([{}])
    expect(sumTotals(specOf({ events: [event('view', UNIQUE_USERS)] }), { result: answer(view) })).toEqual([
      {},
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
