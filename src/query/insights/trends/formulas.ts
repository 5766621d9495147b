import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import type {
  DataPointSchema,
  TrendSeriesSchema,
} from '../../../contract/gen/shared/insights/v1/query_result_pb.js'
import { evaluate, type Formula } from '../../../domain/insights/formula.ts'
import type { InsightContext } from '../../../domain/insights/insight-context.ts'
import type { Series } from '../../../domain/insights/series.ts'
import type { QueryRunner } from '../../sql/select.ts'
import { groupByRank, type RankedBreakdown } from '../breakdown.ts'
import type { BrokenDownRow } from '../series-points.ts'
import type { LineRow } from './compile-lines.ts'
import { type BucketValues, isRolling } from './measure.ts'
import { countRollingBy } from './rolling.ts'

type SeriesInit = MessageInitShape<typeof TrendSeriesSchema>

/** The value of a named series in a bucket. */
type ValueAt = (series: number, bucketMs: number) => number

/** The series of a formula over series without a breakdown, which are measured already. */
export function shapeFormula(
  formula: Formula,
  starts: readonly number[],
  measured: readonly BucketValues[],
): SeriesInit {
  const points = pointsOf(formula, starts, (series, bucketMs) => measured[series]?.get(bucketMs) ?? 0)
  return { ...headOf(formula), points }
}

/** The rows of a formula, with all of its values. */
export interface FormulaAnswer {
  readonly rows: readonly LineRow[]
  /** The rolling users of the named series that count them, by position. */
  readonly rolling: ReadonlyMap<number, readonly BrokenDownRow[]>
}

/** A formula with the values that its series have. */
interface FormulaQuery {
  readonly formula: Formula
  readonly series: readonly Series[]
  readonly breakdown: RankedBreakdown
  readonly starts: readonly number[]
}

/** Measures the rolling users that a formula names for its values, in one scan for each series. */
export async function measureRolling(
  { formula, series, breakdown, starts }: FormulaQuery,
  context: InsightContext,
  run: QueryRunner,
): Promise<FormulaAnswer['rolling']> {
  const rolling = new Map<number, readonly BrokenDownRow[]>()
  const named = namedSeries(formula, series)
  for (const index of formula.named) {
    const one = series[index]
    if (!one || !isRolling(one)) continue
    rolling.set(
      index,
      await countRollingBy({ series: one, starts, breakdown, valuesOf: named }, context, run),
    )
  }
  return rolling
}

/** The series that a formula names. */
export function namedSeries({ named }: Formula, series: readonly Series[]): readonly Series[] {
  return named.flatMap((index) => series[index] ?? [])
}

/** The series of a formula by breakdown value. */
export function shapeFormulaBy(
  { formula, breakdown, starts }: Pick<FormulaQuery, 'formula' | 'breakdown' | 'starts'>,
  { rows, rolling }: FormulaAnswer,
): readonly SeriesInit[] {
  return groupByRank(breakdown, rows).map(({ rank, breakdown: labels, rows: ofRank }) => {
    const inRange = new Map(ofRank.map(({ bucketMs, values }) => [bucketMs, values]))
    const inWindows = new Map(
      [...rolling].map(([index, counted]) => {
        const own = counted.filter((row) => row.rank === rank)
        return [index, new Map(own.map(({ bucketMs, value }) => [bucketMs, value]))]
      }),
    )
    const valueAt: ValueAt = (series, bucketMs) => {
      const windows = inWindows.get(series)
      return (windows ? windows.get(bucketMs) : inRange.get(bucketMs)?.[series]) ?? 0
    }
    return { ...headOf(formula), breakdown: labels, points: pointsOf(formula, starts, valueAt) }
  })
}

function headOf({ text, label }: Formula): Pick<SeriesInit, 'eventKind' | 'formula' | 'label'> {
  return { eventKind: '', formula: text, label }
}

function pointsOf(
  { root }: Formula,
  starts: readonly number[],
  valueAt: ValueAt,
): MessageInitShape<typeof DataPointSchema>[] {
  return starts.map((bucketMs) => {
    const value = evaluate(root, (series) => valueAt(series, bucketMs))
    const time = timestampFromMs(bucketMs)
    return value === undefined ? { time, value: 0, isUndefined: true } : { time, value }
  })
}
