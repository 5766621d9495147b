import { type Timestamp, timestampMs } from '@bufbuild/protobuf/wkt'
import type { Breakdown } from '../../domain/insights/breakdown.ts'
import { invalid } from '../../domain/insights/invalid.ts'
import type { RangeMs } from '../../domain/insights/time-range.ts'
import { stringArraysCodec, stringCodec } from '../sql/codec.ts'
import { allOf, join, param, type Sql, sql } from '../sql/sql.ts'
import type { RankedRow } from './breakdown.ts'

/** An `invalid_argument` for a field of the point, given by its path below `point`. */
export function invalidPoint(field: string, description: string): Error {
  return invalid(`point.${field}`, description, 'INVALID_INSIGHT_QUERY')
}

/** The item at the position that a point names. Throws `invalid_argument`. */
export function itemAt<T>(items: readonly T[], index: number, field: string): T {
  const item = items[index]
  if (item === undefined) throw invalidPoint(field, `must be 0 to ${items.length - 1}`)
  return item
}

/** The number of the bucket that starts at an instant. Throws `invalid_argument`. */
export function bucketAt(starts: readonly number[], start: Timestamp | undefined, field: string): number {
  const index = start ? starts.indexOf(timestampMs(start)) : -1
  if (index < 0) throw invalidPoint(field, 'is not the start of a bucket of the answer')
  return index
}

/** The part of the range in a bucket. */
export function rangeOfBucket(starts: readonly number[], index: number, range: RangeMs): RangeMs {
  const [start = range.fromMs, next = range.toMs] = [starts[index], starts[index + 1]]
  return { fromMs: Math.max(start, range.fromMs), toMs: Math.min(next, range.toMs) }
}

/** The name of a group of a breakdown in a point. */
export interface GroupName {
  readonly breakdown: Readonly<Record<string, string>>
  readonly others: boolean
}

/** A group of the answer: its values, or all values but those of the other groups. */
export type PointGroup =
  | { readonly kind: 'values'; readonly values: readonly string[] }
  | { readonly kind: 'others'; readonly top: readonly (readonly string[])[] }

/** Checks that a point of an answer without a breakdown names no group. Throws `invalid_argument`. */
export function rejectGroup(name: GroupName, field: string): undefined {
  if (name.others) throw invalidPoint(`${field}.others`, 'needs a breakdown')
  if (Object.keys(name.breakdown).length > 0) throw invalidPoint(`${field}.breakdown`, 'needs a breakdown')
  return undefined
}

/** Finds the group that a point names among the groups of an answer. Throws `invalid_argument`. */
export function findGroup(
  breakdown: Breakdown,
  rows: readonly RankedRow[],
  { name, field }: { readonly name: GroupName; readonly field: string },
): PointGroup {
  const { names, limit } = breakdown
  const top = rows.filter(({ rank }) => rank <= limit).map(({ keys }) => keys)
  if (name.others) {
    if (Object.keys(name.breakdown).length > 0)
      throw invalidPoint(`${field}.breakdown`, 'must be empty with others')
    if (rows.every(({ rank }) => rank <= limit))
      throw invalidPoint(`${field}.others`, 'is not in the answer: no value is beyond the limit')
    return { kind: 'others', top }
  }
  const given = Object.entries(name.breakdown)
  const values = names.map((property) => given.find(([key]) => key === property)?.[1])
  const found =
    given.length === names.length ? top.find((keys) => keys.every((key, i) => key === values[i])) : undefined
  if (!found) throw invalidPoint(`${field}.breakdown`, 'is not in the answer')
  return { kind: 'values', values: found }
}

/** Whether a row belongs to a group, by the texts of its breakdown values: 0 or 1. */
export function isInGroup(group: PointGroup, texts: readonly Sql[]): Sql {
  if (group.kind === 'values') {
    return allOf(texts.map((text, index) => sql`${text} = ${param(stringCodec, group.values[index] ?? '')}`))
  }
  const values = join(
    texts.map((text) => sql`CAST(${text}, 'String')`),
    sql`, `,
  )
  return sql`NOT has(${param(stringArraysCodec, group.top)}, [${values}])`
}
