import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import type {
  DataPointSchema,
  TrendSeriesSchema,
} from '../../contract/gen/shared/insights/v1/query_result_pb.js'
import { type Breakdown, toBreakdownMap } from '../spec/breakdown.ts'
import type { TrendsQuery } from '../spec/trends.ts'
import type { BrokenDownRow, BucketRow } from './trends/compile.ts'

type SeriesInit = MessageInitShape<typeof TrendSeriesSchema>

/** Series in the order of the query. */
export function shapeTotals({ series, starts }: TrendsQuery, rows: readonly BucketRow[]): SeriesInit[] {
  return series.map(({ kind }, index) => {
    const values = new Map(rows.map(({ bucketMs, values }) => [bucketMs, values[index] ?? 0]))
    return { eventKind: kind, points: fillPoints(starts, values) }
  })
}

/** Series of one event by rank of the breakdown value, the rest last. */
export function shapeBrokenDown(
  input: { readonly kind: string; readonly breakdown: Breakdown; readonly starts: readonly number[] },
  rows: readonly BrokenDownRow[],
): SeriesInit[] {
  const byRank = Map.groupBy(rows, ({ rank }) => rank)
  return [...byRank]
    .sort(([a], [b]) => a - b)
    .map(([rank, cells]) => {
      const isRest = rank > input.breakdown.limit
      const values = new Map(cells.map(({ bucketMs, value }) => [bucketMs, value]))
      return {
        eventKind: input.kind,
        breakdown: toBreakdownMap(input.breakdown, { keys: cells[0]?.keys ?? [], isRest }),
        points: fillPoints(input.starts, values),
      }
    })
}

/** A point for every bucket; buckets without a value are 0. */
export function fillPoints(
  starts: readonly number[],
  values: ReadonlyMap<number, number>,
): MessageInitShape<typeof DataPointSchema>[] {
  return starts.map((start) => ({ time: timestampFromMs(start), value: values.get(start) ?? 0 }))
}
