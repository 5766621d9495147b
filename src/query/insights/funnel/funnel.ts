import type { MessageInitShape } from '@bufbuild/protobuf'
import type {
  FunnelSeriesSchema,
  FunnelStepSchema,
} from '../../../contract/gen/shared/insights/v1/query_result_pb.js'
import type { FunnelQuery } from '../../../domain/insights/funnel.ts'
import { groupByRank } from '../breakdown.ts'
import type { AnswerInsight } from '../insight.ts'
import { compileFunnel, type StepRow } from './compile.ts'
import { shapeTiming } from './timing.ts'

/** Counts the users who complete each of several ordered steps, and times the steps. */
export const answerFunnel: AnswerInsight<FunnelQuery> = async (query, context, run) => {
  const rows = await run(compileFunnel(query, context))
  return { case: 'funnel', value: { series: shapeFunnel(query, rows) } }
}

type SeriesInit = MessageInitShape<typeof FunnelSeriesSchema>

/** One series without a breakdown, else one per breakdown rank, the rest last. */
function shapeFunnel(query: FunnelQuery, rows: readonly StepRow[]): SeriesInit[] {
  const { breakdown } = query
  if (!breakdown) return [{ steps: shapeSteps(query, rows) }]
  return groupByRank(breakdown, rows).map((group) => ({
    breakdown: group.breakdown,
    steps: shapeSteps(query, group.rows),
  }))
}

/** Every step, including those that no user reached. */
function shapeSteps(
  { steps, timing }: FunnelQuery,
  rows: readonly StepRow[],
): MessageInitShape<typeof FunnelStepSchema>[] {
  const byStep = new Map(rows.map((row) => [row.step, row]))
  return steps.map(({ kind }, index) => {
    const row = byStep.get(index)
    const step = { eventKind: kind, total: row?.users ?? 0 }
    return timing === 'with' && index > 0 ? { ...step, timing: shapeTiming(row) } : step
  })
}
