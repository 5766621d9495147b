import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import type {
  FunnelBucketSchema,
  FunnelTimeToConvertSchema,
} from '../../../contract/gen/millrace/insights/v1/funnel_options_pb.js'
import type {
  FunnelSeriesSchema,
  FunnelStepSchema,
} from '../../../contract/gen/shared/insights/v1/query_result_pb.js'
import type { FunnelQuery } from '../../../domain/insights/funnel.ts'
import { groupByRank } from '../breakdown.ts'
import type { AnswerInsight } from '../insight.ts'
import { bucketCell } from './cells.ts'
import { type CellRow, compileFunnel } from './compile.ts'
import { shapeStatistics, shapeTiming, toDuration } from './timing.ts'

/** Counts the users who complete each of several ordered steps, and times the steps. */
export const answerFunnel: AnswerInsight<FunnelQuery> = async (query, context, run) => {
  const rows = await run(compileFunnel(query, context))
  return { case: 'funnel', value: { series: shapeFunnel(query, rows) } }
}

type SeriesInit = Exclude<MessageInitShape<typeof FunnelSeriesSchema>, { readonly $typeName: string }>

/** One series without a breakdown, else one per breakdown rank, the rest last. */
function shapeFunnel(query: FunnelQuery, rows: readonly CellRow[]): SeriesInit[] {
  const { breakdown } = query
  if (!breakdown) return [shapeSeries(query, rows)]
  return groupByRank(breakdown, rows).map((group) => ({
    breakdown: group.breakdown,
    ...shapeSeries(query, group.rows),
  }))
}

type Cells = ReadonlyMap<number, CellRow>

function shapeSeries(query: FunnelQuery, rows: readonly CellRow[]): SeriesInit {
  const cells: Cells = new Map(rows.map((row) => [row.cell, row]))
  const { view } = query.rules
  return {
    steps: shapeSteps(query, cells),
    ...(view.kind === 'over_time' ? { overTime: shapeBuckets(query, view, cells) } : {}),
    ...(view.kind === 'time_to_convert'
      ? { timeToConvert: shapeTimeToConvert(cells.get(query.steps.length)) }
      : {}),
  }
}

/** Every step, including those that no user reached. */
function shapeSteps(
  { steps, timing, rules }: FunnelQuery,
  cells: Cells,
): MessageInitShape<typeof FunnelStepSchema>[] {
  const totals = steps.map((_, index) => cells.get(index)?.users ?? 0)
  return steps.map(({ kind }, index) => {
    const total = totals[index] ?? 0
    const required = totals.findLast((_, step) => step < index && !rules.optionalSteps.includes(step))
    const step = {
      eventKind: kind,
      total,
      conversionFromPrevious: percentOf(total, required ?? total),
      conversionFromFirst: percentOf(total, totals[0] ?? 0),
    }
    return timing === 'with' && index > 0 ? { ...step, timing: shapeTiming(cells.get(index)) } : step
  })
}

function percentOf(...[part, whole]: readonly [part: number, whole: number]): number {
  return whole === 0 ? 0 : (100 * part) / whole
}

/** Every bucket, including those in which no attempt starts. */
function shapeBuckets(
  query: FunnelQuery,
  view: Parameters<typeof bucketCell>[1],
  cells: Cells,
): MessageInitShape<typeof FunnelBucketSchema>[] {
  return view.starts.map((startMs, bucket) => {
    const usersOf = (of: 'started' | 'converted'): number =>
      cells.get(bucketCell(query, view, { bucket, of }))?.users ?? 0
    const [started, converted] = [usersOf('started'), usersOf('converted')]
    return { time: timestampFromMs(startMs), started, converted, rate: percentOf(converted, started) }
  })
}

/** Bins of one width; their bounds may lie between two milliseconds. */
function shapeTimeToConvert(row: CellRow | undefined): MessageInitShape<typeof FunnelTimeToConvertSchema> {
  const users = row?.users ?? 0
  const [count = 0, leastMs = 0, greatestMs = 0, ...counts] = row?.spread ?? []
  const binCount = greatestMs > leastMs ? count : Math.min(users, 1)
  const boundOf = (bin: number): ReturnType<typeof toDuration> =>
    toDuration(leastMs + ((greatestMs - leastMs) * bin) / binCount)
  const bins = Array.from({ length: binCount }, (_, bin) => ({
    from: boundOf(bin),
    to: boundOf(bin + 1),
    count: BigInt(counts[bin] ?? 0),
  }))
  return { ...shapeStatistics(row), users, bins }
}
