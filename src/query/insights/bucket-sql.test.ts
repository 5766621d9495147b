import { describe, expect, test } from 'vitest'
import { render, sql } from '../sql/sql.ts'
import { bucketIndex, bucketOf, bucketSet } from './bucket-sql.ts'

const EVEN = [0, 100, 200]
/** A day of 23 hours in between. */
const UNEVEN = [0, 100, 190, 290]

describe('a set of buckets', () => {
  test.each([
    [1, 'toUInt64(1)'],
    [64, 'toUInt64(1)'],
    [65, 'toUInt128(1)'],
    [128, 'toUInt128(1)'],
    [129, 'toUInt256(1)'],
    [256, 'toUInt256(1)'],
  ])('of %i has a bit for each in %s', (count, one) => {
    const { gather, list, merge } = bucketSet(count)
    expect(render(merge(sql`s`)).text).toBe('groupBitOr(s)')
    expect(render(gather(sql`i`)).text).toBe(`groupBitOr(bitShiftLeft(${one}, i))`)
    expect(render(gather(sql`i`, sql`c`)).text).toBe(`groupBitOrIf(bitShiftLeft(${one}, i), c)`)
    expect(render(list(sql`s`)).text).toBe('bitPositionsToArray(s)')
  })

  test('of more than the widest integer has bits is an array', () => {
    const { gather, list, merge } = bucketSet(257)
    expect(render(merge(sql`s`)).text).toBe('groupUniqArrayArray(s)')
    expect(render(gather(sql`i`)).text).toBe('groupUniqArray(i)')
    expect(render(gather(sql`i`, sql`c`)).text).toBe('groupUniqArrayIf(i, c)')
    expect(render(list(sql`s`)).text).toBe('s')
  })
})

describe('buckets of one width', () => {
  test('are found by division, the last one at most', () => {
    expect(render(bucketIndex(sql`ms`, EVEN))).toEqual({
      text: 'toUInt16(least(intDiv(ms - {p0:Int64}, {p1:Int64}), {p2:Int64}))',
      params: { p0: 0, p1: 100, p2: 2 },
    })
    expect(render(bucketOf(sql`time`, EVEN))).toEqual({
      text: '{p0:Int64} + least(intDiv(toUnixTimestamp64Milli(time) - {p0:Int64}, {p1:Int64}), {p2:Int64}) * {p1:Int64}',
      params: { p0: 0, p1: 100, p2: 2 },
    })
  })
})

describe('buckets of several widths', () => {
  test('are found by their starts', () => {
    expect(render(bucketIndex(sql`ms`, UNEVEN))).toEqual({
      text: 'toUInt16(transform(roundDown(ms, {p0:Array(Int64)}), {p0:Array(Int64)}, {p1:Array(Int64)}))',
      params: { p0: UNEVEN, p1: [0, 1, 2, 3] },
    })
    expect(render(bucketOf(sql`time`, UNEVEN)).text).toBe(
      'roundDown(toUnixTimestamp64Milli(time), {p0:Array(Int64)})',
    )
  })
})

test('one bucket needs no time', () => {
  expect(render(bucketIndex(sql`ms`, [7]))).toEqual({ text: 'toUInt16(0)', params: {} })
  expect(render(bucketOf(sql`time`, [7]))).toEqual({ text: '{p0:Int64}', params: { p0: 7 } })
})
