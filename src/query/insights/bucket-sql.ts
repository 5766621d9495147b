import { int64ArrayCodec, int64Codec } from '../sql/codec.ts'
import { param, type Sql, sql } from '../sql/sql.ts'

/**
 * The start of the bucket that contains the row's time, in milliseconds since the Unix epoch. The row must be in the
 * range; an empty range has no bucket, and no row.
 */
export function bucketOf(time: Sql, starts: readonly number[]): Sql {
  const [first = 0, second] = starts
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

/**
 * The number, from 0, of the bucket that contains an instant of the range (milliseconds since the Unix epoch), as
 * `UInt16`. Uses plain arithmetic, because it runs for every event.
 */
export function bucketIndex(ms: Sql, starts: readonly number[]): Sql {
  const [first = 0, second] = starts
  if (second === undefined) return sql`toUInt16(0)`
  const widthMs = second - first
  if (starts.every((start, index) => start === first + index * widthMs)) {
    const index = sql`intDiv(${ms} - ${param(int64Codec, first)}, ${param(int64Codec, widthMs)})`
    // The last bucket may be longer than the others.
    return sql`toUInt16(least(${index}, ${param(int64Codec, starts.length - 1)}))`
  }
  const all = param(int64ArrayCodec, starts)
  const indexes = starts.map((_, index) => index)
  return sql`toUInt16(transform(roundDown(${ms}, ${all}), ${all}, ${param(int64ArrayCodec, indexes)}))`
}

/** A set of buckets as an aggregate state. */
export interface BucketSet {
  /** The set of the buckets of a group's rows, or of those that meet the condition. */
  readonly gather: (index: Sql, condition?: Sql) => Sql
  /** The distinct buckets of a set. */
  readonly list: (set: Sql) => Sql
  /** The union of all sets of a group. */
  readonly merge: (set: Sql) => Sql
}

/** A bitmask, for as many buckets as an integer has bits: it needs no memory beyond the integer. */
const MASKS: readonly { readonly bits: number; readonly one: Sql }[] = [
  { bits: 64, one: sql`toUInt64(1)` },
  { bits: 128, one: sql`toUInt128(1)` },
  { bits: 256, one: sql`toUInt256(1)` },
]

/** The cheapest set that holds the given number of buckets. */
export function bucketSet(count: number): BucketSet {
  const mask = MASKS.find(({ bits }) => count <= bits)
  if (mask) {
    return {
      gather: (index, condition) => {
        const bit = sql`bitShiftLeft(${mask.one}, ${index})`
        return condition ? sql`groupBitOrIf(${bit}, ${condition})` : sql`groupBitOr(${bit})`
      },
      list: (set) => sql`bitPositionsToArray(${set})`,
      merge: (set) => sql`groupBitOr(${set})`,
    }
  }
  return {
    gather: (index, condition) =>
      condition ? sql`groupUniqArrayIf(${index}, ${condition})` : sql`groupUniqArray(${index})`,
    list: (set) => set,
    merge: (set) => sql`groupUniqArrayArray(${set})`,
  }
}
