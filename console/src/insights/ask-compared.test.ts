import { create } from '@bufbuild/protobuf'
import { CalendarUnit } from '@contract/millrace/insights/v1/comparison_pb.js'
import {
  type QueryRequest,
  QueryRequestSchema,
  type QueryResponse,
  QueryResponseSchema,
} from '@contract/shared/insights/v1/insights_service_pb.js'
import { parseComparedRange } from '@domain/insights/compared-range.ts'
import { parseTimeZone } from '@domain/insights/time-zone.ts'
import { describe, expect, test } from 'vitest'
import { askCompared, findShift } from './ask-compared.ts'
import { type Compare, comparedRange, type InsightPeriod, insightRange } from './insight-period.ts'
import type { Granularity } from './model/draft.ts'

const timeZone = 'Europe/Berlin'
const { DAY, MONTH } = CalendarUnit

/** The ranges of a period at a time, and the shift between them. */
function compare(
  compare: Compare,
  period: InsightPeriod,
  at = '2026-11-22T15:04:05Z',
  granularity?: Granularity,
) {
  const now = { nowMs: Date.parse(at), timeZone }
  const range = insightRange(period, now)
  const before = comparedRange({ compare, period, granularity: granularity ?? 'GRANULARITY_DAY' }, now)
  if (!before) throw new Error('there is no compared range')
  return { range, before, shift: findShift({ range, before, timeZone }) }
}

describe('a compared range', () => {
  const march = { from: '2026-03-01', to: '2026-03-31' }
  test.each<[name: string, unit: CalendarUnit, count: number, of: ReturnType<typeof compare>]>([
    ['the days before', DAY, 6, compare('previous', { last: 6, unit: 'days' })],
    ['weeks before', DAY, 28, compare('previous', { last: 30, unit: 'days' })],
    ['the week before', DAY, 7, compare('week', 'today')],
    ['a month before', DAY, 31, compare('month', { from: '2026-11-01', to: '2026-11-22' })],
    ['a longer month before', MONTH, 1, compare('month', march)],
    [
      'months before',
      DAY,
      92,
      compare('previous', { last: 3, unit: 'months' }, undefined, 'GRANULARITY_MONTH'),
    ],
    ['the year before', DAY, 365, compare('year', { last: 7, unit: 'days' })],
    [
      'over a change of the clocks',
      DAY,
      7,
      compare('week', { last: 7, unit: 'days' }, '2026-03-30T10:00:00Z'),
    ],
    ['hours a day before', DAY, 1, compare('previous', 'LAST_24_HOURS')],
  ])('of %s is the shift that the service moves it by', (_, unit, count, { range, before, shift }) => {
    expect(shift?.with.value).toMatchObject({ unit, count })
    const zone = parseTimeZone(timeZone)
    expect(shift && parseComparedRange(shift, { range, zone, reason: 'INVALID_INSIGHT_QUERY' })).toEqual(
      before,
    )
  })

  test.each([
    ['one hour before', compare('previous', 'LAST_1_HOUR')],
    ['another local time a week before', compare('week', 'LAST_6_HOURS', '2026-10-27T10:00:00Z')],
    ['the second of two equal local times', compare('week', 'LAST_1_HOUR', '2026-11-01T01:30:00Z')],
    ['more than 400 days before', compare({ from: '2025-01-04' }, { from: '2026-11-16', to: '2026-11-22' })],
    ['days without a month of that length', compare('month', { from: '2026-03-02', to: '2026-03-30' })],
  ])('of %s has no shift', (_, { shift }) => {
    expect(shift).toBeUndefined()
  })
})

describe('a compared query', () => {
  const request = create(QueryRequestSchema, {})
  const ask = (answers: readonly QueryResponse[]) => {
    const asked: QueryRequest[] = []
    return {
      asked,
      ask: async (one: QueryRequest): Promise<QueryResponse> => {
        asked.push(one)
        return answers[asked.length - 1] ?? create(QueryResponseSchema)
      },
    }
  }
  const trends = (...series: readonly { readonly eventKind: string; readonly isComparison?: boolean }[]) =>
    create(QueryResponseSchema, { result: { case: 'trends', value: { series: [...series] } } })
  const day = { ...compare('week', 'today'), timeZone }

  test('is one call, whose series of the compared range are apart', async () => {
    const { asked, ask: answer } = ask([
      trends({ eventKind: 'view' }, { eventKind: 'view', isComparison: true }),
    ])
    const { result, previous } = await askCompared(request, day, answer)
    expect(asked.map(({ compareTo }) => compareTo?.with.value)).toMatchObject([{ unit: DAY, count: 7 }])
    const kinds = [result, previous].map((one) =>
      one?.case === 'trends' ? one.value.series.map(({ isComparison }) => isComparison) : one,
    )
    expect(kinds).toEqual([[false], [true]])
  })

  test('of another type has the compared answer beside its own', async () => {
    const response = create(QueryResponseSchema, {
      result: { case: 'segmentation', value: { total: 2 } },
      comparison: { result: { case: 'segmentation', value: { total: 7 } } },
    })
    const { previous } = await askCompared(request, day, ask([response]).ask)
    expect(previous?.value).toMatchObject({ total: 7 })
  })

  test('is two calls where no shift leads to the compared range, and one without it', async () => {
    const hour = { ...compare('previous', 'LAST_1_HOUR'), timeZone }
    const { asked, ask: answer } = ask([trends({ eventKind: 'view' }), trends({ eventKind: 'sale' })])
    const { previous } = await askCompared(request, hour, answer)
    expect(previous?.case === 'trends' && previous.value.series.map(({ eventKind }) => eventKind)).toEqual([
      'sale',
    ])
    expect(asked.map(({ timeRange }) => Number(timeRange?.from?.seconds ?? 0) * 1000)).toEqual([
      0,
      hour.before.fromMs,
    ])
    const alone = ask([trends({ eventKind: 'view' })])
    expect((await askCompared(request, { ...hour, before: undefined }, alone.ask)).previous).toBeUndefined()
    expect(alone.asked).toHaveLength(1)
  })
})
