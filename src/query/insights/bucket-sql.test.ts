import { describe, expect, test } from 'vitest'
import { render, sql } from '../sql/sql.ts'
import { bucketIndex, bucketOf, bucketSet, groupedBucket } from './bucket-sql.ts'

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
  test('are divided when few have another one, and grouped by their number', () => {
    const { start, key } = groupedBucket(sql`time`, UNEVEN)
    const index =
      'toUInt16(least(intDiv(ms - {p0:Int64} + (ms >= {p1:Int64}) * {p2:Int64}, {p3:Int64}), {p4:Int64}))'
    expect(render(bucketIndex(sql`ms`, UNEVEN))).toEqual({
      text: index,
      params: { p0: 0, p1: 190, p2: 10, p3: 100, p4: 3 },
    })
    expect(render(start).text).toMatch(
      /^\{p0:Array\(Int64\)\}\[\(toUInt16\(least\(intDiv\(.*\) AS bucket_index\) \+ 1\]$/,
    )
    expect(render(key).text).toBe('bucket_index')
  })

  test('are found by their starts when many have another one, or one is much longer', () => {
    const found =
      'toUInt16(transform(roundDown(ms, {p0:Array(Int64)}), {p0:Array(Int64)}, {p1:Array(Int64)}))'
    const months = Array.from({ length: 12 }, (_, month) => Date.UTC(2026, month))
    for (const starts of [months, [0, 100, 200, 401]])
      expect(render(bucketIndex(sql`ms`, starts)).text).toBe(found)
    expect(render(bucketOf(sql`time`, UNEVEN)).text).toBe(
      'roundDown(toUnixTimestamp64Milli(time), {p0:Array(Int64)})',
    )
  })
})

test('one bucket needs no time', () => {
  expect(render(bucketIndex(sql`ms`, [7]))).toEqual({ text: 'toUInt16(0)', params: {} })
  expect(render(bucketOf(sql`time`, [7]))).toEqual({ text: '{p0:Int64}', params: { p0: 7 } })
})
