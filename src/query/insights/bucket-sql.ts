import { int64ArrayCodec, int64Codec } from '../sql/codec.ts'
import { join, param, type Sql, sql } from '../sql/sql.ts'

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

/** The bucket of a row's time, for statements that group by it. */
export interface GroupedBucket {
  /** The start of the bucket, as {@link bucketOf}; defines the name of the key. */
  readonly start: Sql
  /** What `GROUP BY` names: the number of the bucket, which division finds where a start would have to be searched. */
  readonly key: Sql
}

/** The bucket of the row's time, which must be in the range, in a statement that groups by it once. */
export function groupedBucket(time: Sql, starts: readonly number[]): GroupedBucket {
  const index = bucketIndex(sql`toUnixTimestamp64Milli(${time})`, starts)
  return {
    start: sql`${param(int64ArrayCodec, starts)}[(${index} AS bucket_index) + 1]`,
    key: sql`bucket_index`,
  }
}

/**
 * The number, from 0, of the bucket that contains an instant of the range (milliseconds since the Unix epoch), as
 * `UInt16`. Uses plain arithmetic, because it runs for every event.
 */
export function bucketIndex(ms: Sql, starts: readonly number[]): Sql {
  const [first = 0, second] = starts
  if (second === undefined) return sql`toUInt16(0)`
  const even = evenOut(starts)
  if (even) {
    const shifted = even.shifts.map(
      ({ atMs, byMs }) => sql` + (${ms} >= ${param(int64Codec, atMs)}) * ${param(int64Codec, byMs)}`,
    )
    const sinceFirst = sql`${ms} - ${param(int64Codec, first)}${join(shifted, sql``)}`
    const index = sql`intDiv(${sinceFirst}, ${param(int64Codec, even.widthMs)})`
    // The last bucket may be longer than the others.
    return sql`toUInt16(least(${index}, ${param(int64Codec, starts.length - 1)}))`
  }
  const all = param(int64ArrayCodec, starts)
  const indexes = starts.map((_, index) => index)
  return sql`toUInt16(transform(roundDown(${ms}, ${all}), ${all}, ${param(int64ArrayCodec, indexes)}))`
}

/** Most buckets of another width; with more of them, finding the start is as cheap. */
const SHIFTS_MAX = 4

/** Buckets of one width: instants from `atMs` on are moved by `byMs` before they are divided. */
interface EvenBuckets {
  readonly widthMs: number
  readonly shifts: readonly { readonly atMs: number; readonly byMs: number }[]
}

/**
 * Makes buckets even of which few have another width, such as days at a change of the clocks: instants after a shorter bucket move
 * forward, and what a longer one has beyond the width moves back into it.
 */
function evenOut(starts: readonly number[]): EvenBuckets | undefined {
  const widths = starts.slice(1).map((start, index) => start - (starts[index] ?? 0))
  const counts = [...Map.groupBy(widths, (width) => width)].map(
    ([width, all]) => [width, all.length] as const,
  )
  const [widthMs, count] = counts.reduce((most, one) => (one[1] > most[1] ? one : most))
  if (widths.length - count > SHIFTS_MAX) return undefined
  // What is moved back must land in its own bucket.
  if (widths.some((width) => width > 2 * widthMs)) return undefined
  const shifts = widths.flatMap((width, index) => {
    if (width === widthMs) return []
    const atMs = (starts[index] ?? 0) + Math.min(width, widthMs)
    return [{ atMs, byMs: widthMs - width }]
  })
  return { widthMs, shifts }
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
