import { assert } from '../../kernel/assert.ts'
import { int64ArrayCodec, int64Codec } from '../sql/codec.ts'
import { param, type Sql, sql } from '../sql/sql.ts'

/**
 * The start of the bucket that contains the row's time, in milliseconds since the Unix epoch. The row must be in the
 * range.
 */
export function bucketOf(time: Sql, starts: readonly number[]): Sql {
  const [first, second] = starts
  assert(first !== undefined, 'a range has a bucket')
  const ms = sql`toUnixTimestamp64Milli(${time})`
  if (second === undefined) return sql`${param(int64Codec, first)}`
  const widthMs = second - first
  const isEven = starts.every((start, index) => start === first + index * widthMs)
  if (!isEven) return sql`roundDown(${ms}, ${param(int64ArrayCodec, starts)})`
  const [origin, width] = [param(int64Codec, first), param(int64Codec, widthMs)]
  // The last bucket may be longer than the others, so the index is clamped to it.
  const last = param(int64Codec, starts.length - 1)
  return sql`${origin} + least(intDiv(${ms} - ${origin}, ${width}), ${last}) * ${width}`
}
