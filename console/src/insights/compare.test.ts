import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { QueryResponseSchema } from '@contract/shared/insights/v1/insights_service_pb.js'
import { describe, expect, test } from 'vitest'
import { compareTables } from './compare.ts'
import type { Result } from './model/insight-type.ts'
import { INSIGHT_TYPES } from './types/insight-types.ts'

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

const ONE_POINT = trendsOf(0, [5], [])
const COHORTS = resultOf({ case: 'retention', value: { series: [{ cohorts: [{ cohortSize: 3 }] }] } })

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
    ['without a previous answer', 'INSIGHT_TYPE_TRENDS', ONE_POINT, undefined],
    ['with an answer of another type', 'INSIGHT_TYPE_TRENDS', ONE_POINT, rankingOf({ '': 2 })],
    ['of a type that is not compared', 'INSIGHT_TYPE_RETENTION', COHORTS, COHORTS],
  ] as const)('%s is that of the answer', (_, type, result, previous) => {
    const entry = INSIGHT_TYPES[type]
    expect(compareTables(entry, { result, previous })).toEqual(entry.table(result))
  })
})
