import { describe, expect, test } from 'vitest'
import { logTicks, type Unit, type ValueBounds, valueTicks } from './value-axis.ts'

const bounds = (max: number, more: Partial<ValueBounds> = {}): ValueBounds => ({
  min: 0,
  max,
  stepsMax: 5,
  unit: 'number',
  isWhole: true,
  ...more,
})

describe('the ticks of a value axis', () => {
  test.each<[name: string, ValueBounds, ticks: readonly number[]]>([
    ['end above the highest value', bounds(4080), [0, 1000, 2000, 3000, 4000, 5000]],
    ['end above a value on a tick', bounds(800), [0, 200, 400, 600, 800, 1000]],
    ['have steps of 2.5', bounds(1100), [0, 250, 500, 750, 1000, 1250]],
    ['of counts are whole numbers', bounds(1), [0, 1, 2]],
    ['of other values may be fractions', bounds(0.9, { isWhole: false }), [0, 0.2, 0.4, 0.6, 0.8, 1]],
    ['start below negative values', bounds(5, { min: -12 }), [-15, -10, -5, 0, 5, 10]],
    ['of negative values end at 0', bounds(0, { min: -9 }), [-10, -8, -6, -4, -2, 0]],
    ['of zeros end at 1', bounds(0), [0, 1]],
    ['are fewer on a low chart', bounds(4080, { stepsMax: 2 }), [0, 2500, 5000]],
  ])('%s', (_, given, ticks) => {
    expect(valueTicks(given)).toEqual(ticks)
  })

  test.each<[Unit, max: number, ticks: readonly number[]]>([
    ['percent', 100, [0, 20, 40, 60, 80, 100]],
    ['percent', 12.6, [0, 5, 10, 15]],
    ['seconds', 160, [0, 60, 120, 180]],
    ['milliseconds', 9_000_000, [0, 3_600_000, 7_200_000, 10_800_000]],
    ['seconds', 300_000, [0, 86_400, 172_800, 259_200, 345_600]],
  ])('of %s up to %d', (unit, max, ticks) => {
    expect(valueTicks(bounds(max, { unit, isWhole: false }))).toEqual(ticks)
  })

  test('are 2 to 5 steps for any highest value', () => {
    const counts = Array.from(
      { length: 400 },
      (_, at) => valueTicks(bounds(1.13 ** at, { isWhole: false })).length - 1,
    )
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(2)
    expect(Math.max(...counts)).toBeLessThanOrEqual(5)
  })
})

test('logarithmic ticks are 0 and powers of ten, to above the highest value', () => {
  expect(logTicks(900, 5)).toEqual([0, 1, 10, 100, 1000])
  expect(logTicks(1000, 5)).toEqual([0, 1, 10, 100, 1000, 10_000])
  expect(logTicks(3e8, 4)).toEqual([0, 1, 1000, 1e6, 1e9])
})
