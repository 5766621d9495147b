import { create } from '@bufbuild/protobuf'
import { ThresholdRuleSchema } from '@contract/dashboard/dashboards/v1/tile_options_pb.js'
import { describe, expect, test } from 'vitest'
import { dataOf, previousLabel, timeRange, valueRange } from './scales.ts'
import type { TimeSeriesProps } from './time-series.tsx'

const chart: TimeSeriesProps = {
  times: [1000, 2000],
  series: [
    { label: 'a', values: [1, 2] },
    { label: 'b', values: [10, 20] },
  ],
  style: 'line',
  timeZone: 'UTC',
  unit: 'number',
}
const previous = [
  { label: 'a', values: [3] },
  { label: 'b', values: [30, 40] },
]

describe('the data of a chart', () => {
  test('has seconds, the series, and the previous period with gaps', () => {
    expect(dataOf({ ...chart, previous })).toEqual([
      [1, 2],
      [1, 2],
      [10, 20],
      [3, null],
      [30, 40],
    ])
  })

  test('of stacked bars has sums, the highest first, and the total of the previous period', () => {
    expect(dataOf({ ...chart, style: 'bars', previous })).toEqual([
      [1, 2],
      [11, 22],
      [1, 2],
      [33, 40],
    ])
  })
})

describe('the value axis', () => {
  const rules = [create(ThresholdRuleSchema, { value: 15 }), create(ThresholdRuleSchema, { value: 100 })]
  test.each([
    ['starts at 0 and ends above the highest value', { min: 5, max: 10 }, [], [0, 10.8]],
    ['includes a bound that is near', { min: 5, max: 10 }, rules, [0, 16.2]],
    ['starts below negative values', { min: -10, max: -5 }, [], [-10.8, 0]],
    ['of zeros ends at 1', { min: 0, max: 0 }, [], [0, 1]],
  ] as const)('%s', (_, values, bounds, range) => {
    const [low, high] = valueRange(values, bounds)
    expect([low, high].map((value) => Number(value.toFixed(6)))).toEqual(range)
  })
})

test('the time axis has a margin of half a bar, or of an hour around a single time', () => {
  expect(timeRange({ ...chart, style: 'grouped' }, { min: 1, max: 2 })).toEqual([0.5, 2.5])
  expect(timeRange(chart, { min: 1, max: 2 })).toEqual([1, 2])
  expect(timeRange({ ...chart, times: [7_200_000] }, { min: 0, max: 0 })).toEqual([3600, 10_800])
})

test('a single series is compared to the previous period without its name', () => {
  expect(previousLabel('page_view', 1)).toBe('Previous period')
  expect(previousLabel('page_view', 2)).toBe('page_view, previous period')
})
