import { describe, expect, test } from 'vitest'
import { changeOf, signChange } from './change.ts'
import type { Unit } from './unit.ts'

const describeChange = (
  value: number | null,
  previous: number | null,
  unit: Unit = 'number',
  good: 'up' | 'down' = 'up',
) => {
  const change = changeOf(value, previous, { unit, good })
  return change && [signChange(change), change.direction, change.tone]
}

describe('a change', () => {
  test.each([
    ['up is good', [109.6, 100], ['+9.6%', 'up', 'good']],
    ['down is bad', [50, 100], ['−50.0%', 'down', 'bad']],
    ['of less than 0.05 % is none', [100.04, 100], ['<0.1%', 'flat', 'neutral']],
    ['from 0 is new', [5, 0], ['new', 'new', 'neutral']],
    ['from 0 to 0 is none', [0, 0], ['0.0%', 'flat', 'neutral']],
    ['of a thousandfold is short', [125_000, 100], ['+124.9K%', 'up', 'good']],
    ['of a negative number has the direction of the value', [-5, -10], ['+50.0%', 'up', 'good']],
  ] as const)('%s', (_, [value, previous], expected) => {
    expect(describeChange(value, previous)).toEqual(expected)
  })

  test('of a rate is in percentage points', () => {
    expect(describeChange(41.2, 43, 'percent', 'down')).toEqual(['−1.8 pp', 'down', 'good'])
    expect(describeChange(5, 0, 'percent')).toEqual(['+5.0 pp', 'up', 'good'])
    expect(describeChange(5.02, 5, 'percent')).toEqual(['0.0 pp', 'flat', 'neutral'])
  })

  test('of an unknown value is unknown', () => {
    expect([describeChange(null, 5), describeChange(5, null)]).toEqual([undefined, undefined])
  })

  test('is put in words, with its meaning', () => {
    expect(changeOf(110, 100, { unit: 'number', good: 'up' })?.words).toBe('up 10.0%, good')
    expect(changeOf(110, 100, { unit: 'number', good: 'neither' })?.words).toBe('up 10.0%')
  })
})
