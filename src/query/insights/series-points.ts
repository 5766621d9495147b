import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import type {
  DataPointSchema,
  TrendSeriesSchema,
} from '../../contract/gen/shared/insights/v1/query_result_pb.js'
import { type GivenValues, groupByRank, type RankedBreakdown, type RankedRow } from './breakdown.ts'

type SeriesInit = MessageInitShape<typeof TrendSeriesSchema>

/** The value of one series in one bucket, for one breakdown value or for the rest. */
export interface BrokenDownRow extends RankedRow {
  readonly bucketMs: number
  readonly value: number
}

/** The series of one event, of one formula or of sessions. */
export interface SeriesLine {
  readonly series: readonly SeriesInit[]
  /** Their breakdown values; `undefined` without a breakdown. */
  readonly values: GivenValues | undefined
}

/** Series of one event by rank of the breakdown value, the rest last. */
export function shapeBrokenDown(
  input: { readonly kind: string; readonly breakdown: RankedBreakdown; readonly starts: readonly number[] },
  rows: readonly BrokenDownRow[],
): SeriesInit[] {
  return groupByRank(input.breakdown, rows).map(({ breakdown, rows: cells }) => {
    const values = new Map(cells.map(({ bucketMs, value }) => [bucketMs, value]))
    return { eventKind: input.kind, breakdown, points: fillPoints(input.starts, values) }
  })
}

/** A point for every bucket; buckets without a value are 0. */
export function fillPoints(
  starts: readonly number[],
  values: ReadonlyMap<number, number>,
): MessageInitShape<typeof DataPointSchema>[] {
  return starts.map((start) => ({ time: timestampFromMs(start), value: values.get(start) ?? 0 }))
}
