import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { QueryResponseSchema } from '@contract/shared/insights/v1/insights_service_pb.js'
import { describe, expect, test } from 'vitest'
import { compareTables } from './compare.ts'
import type { Result, ResultCase } from './model/insight-type.ts'
import { entryOfAnswer, INSIGHT_TYPES } from './types/insight-types.ts'

type ResultInit = NonNullable<MessageInitShape<typeof QueryResponseSchema>['result']>
const resultOf = (result: ResultInit): Result => create(QueryResponseSchema, { result }).result

const pointsOf = (startMs: number, values: readonly number[]) =>
  values.map((value, index) => ({ time: timestampFromMs(startMs + index * 1000), value }))
const trendsOf = (startMs: number, views: readonly number[], sales: readonly number[]): Result =>
  resultOf({
    case: 'trends',
    value: {
      series: [
        { eventKind: 'page_view', points: pointsOf(startMs, views) },
        { eventKind: 'purchase', breakdown: { plan: '' }, points: pointsOf(startMs, sales) },
      ],
    },
  })
const rankingOf = (values: Readonly<Record<string, number>>): Result => {
  const rows = Object.entries(values).map(([dimensionValue, value]) => ({ dimensionValue, value }))
  return resultOf({ case: 'topK', value: { rows: [...rows, { isOthers: true, value: 1 }] } })
}

/** A result of each case, and the first row of its table. */
const RESULTS: {
  readonly [Case in ResultCase]: readonly [result: Result, row: readonly (string | number)[]]
} = {
  trends: [trendsOf(0, [5], []), ['page_view', '1970-01-01T00:00:00.000Z', 5]],
  segmentation: [resultOf({ case: 'segmentation', value: { total: 7 } }), [7]],
  funnel: [
    resultOf({
      case: 'funnel',
      value: { series: [{ breakdown: { plan: '$others' }, steps: [{ eventKind: '', total: 4 }] }] },
    }),
    ['Other', 1, 'All events', 4, 1, ''],
  ],
  retention: [
    resultOf({
      case: 'retention',
      value: { series: [{ cohorts: [{ cohort: '2026-01-01', cohortSize: 3, points: [{ value: 100 }] }] }] },
    }),
    ['All', '2026-01-01', 3, 0, 100],
  ],
  userFlow: [
    resultOf({
      case: 'userFlow',
      value: {
        nodes: [
          { id: 'a', label: 'page_view', depth: 0 },
          { id: 'b', isOthers: true, depth: 1 },
        ],
        links: [{ source: 'a', target: 'b', value: 9n }],
      },
    }),
    ['1. page_view', '2. Other', 9],
  ],
  topK: [rankingOf({ '': 2 }), ['(not set)', 2]],
}

test.each(Object.values(RESULTS))('the table of %# has the rows of its answer', (result, row) => {
  expect(entryOfAnswer(result, undefined)?.table(result).rows[0]).toEqual(row)
})

test('an entry ignores the results of other types', () => {
  const { table } = INSIGHT_TYPES.INSIGHT_TYPE_FUNNEL
  expect(table(RESULTS.trends[0])).toEqual({ columns: [], rows: [] })
})

describe('the table of a comparison', () => {
  test('pairs the buckets of a series by their order', () => {
    const table = compareTables(INSIGHT_TYPES.INSIGHT_TYPE_TRENDS, {
      result: trendsOf(86_400_000, [5, 20], [3, 3]),
      previous: trendsOf(0, [10, 0], [3, 6]),
    })
    expect(table.columns.map(({ name }) => name)).toEqual([
      'Series',
      'Time',
      'Value',
      'Previous period',
      'Change in percent',
    ])
    expect(table.columns[3]?.kind).toBe('value')
    // No change from 0.
    expect(table.rows.map((row) => row.slice(2))).toEqual([
      [5, 10, -50],
      [20, 0, ''],
      [3, 3, 0],
      [3, 6, -50],
    ])
  })

  test('pairs the rows of a ranking by their values', () => {
    const table = compareTables(INSIGHT_TYPES.INSIGHT_TYPE_MAP, {
      result: rankingOf({ DE: 4, FR: 3 }),
      previous: rankingOf({ FR: 6 }),
    })
    expect(table.rows).toEqual([
      ['DE', 4, '', ''],
      ['FR', 3, 6, -50],
      ['Other', 1, 1, 0],
    ])
  })

  test.each([
    ['without a previous answer', 'INSIGHT_TYPE_TRENDS', RESULTS.trends[0], undefined],
    ['with an answer of another type', 'INSIGHT_TYPE_TRENDS', RESULTS.trends[0], RESULTS.topK[0]],
    ['of a type that is not compared', 'INSIGHT_TYPE_RETENTION', RESULTS.retention[0], RESULTS.retention[0]],
  ] as const)('%s is that of the answer', (_, type, result, previous) => {
    const entry = INSIGHT_TYPES[type]
    expect(compareTables(entry, { result, previous })).toEqual(entry.table(result))
  })
})
