import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import type {
  RetentionCohortSchema,
  RetentionSeriesSchema,
} from '../../../contract/gen/shared/insights/v1/query_result_pb.js'
import type { Breakdown } from '../../../domain/insights/breakdown.ts'
import type { RetentionQuery } from '../../../domain/insights/retention.ts'
import { groupByRank } from '../breakdown.ts'
import type { AnswerInsight } from '../insight.ts'
import {
  type BrokenDownCohortRow,
  type CohortRow,
  compileBrokenDownCohorts,
  compileCohorts,
} from './compile.ts'

/** Cohorts of users by the bucket of their first start event, and how many of them returned in each later bucket. */
export const answerRetention: AnswerInsight<RetentionQuery> = async (query, context, run) => {
  const { breakdown, starts } = query
  if (!breakdown) {
    const rows = await run(compileCohorts(query, context))
    return { case: 'retention', value: { series: [{ cohorts: shapeCohorts(starts, rows) }] } }
  }
  const rows = await run(compileBrokenDownCohorts(query, breakdown, context))
  return { case: 'retention', value: { series: shapeBrokenDownCohorts({ breakdown, starts }, rows) } }
}

/** Every cohort of the range, including empty ones, each with points from its own bucket to the last. */
function shapeCohorts(
  starts: readonly number[],
  rows: readonly CohortRow[],
): MessageInitShape<typeof RetentionCohortSchema>[] {
  const times = starts.map((startMs) => timestampFromMs(startMs))
  const byCohort = new Map(rows.map((row) => [row.cohort, row]))
  return starts.map((startMs, cohort) => {
    const { buckets, counts } = byCohort.get(cohort) ?? { buckets: [], counts: [] }
    const users = new Map(buckets.map((bucket, index) => [bucket, counts[index] ?? 0]))
    const size = users.get(starts.length) ?? 0
    const points = times.slice(cohort).map((time, offset) => ({
      time,
      value: size === 0 ? 0 : (100 * (users.get(cohort + offset) ?? 0)) / size,
    }))
    return { cohort: toRfc3339(startMs), cohortSize: size, points }
  })
}

/** Series by rank of the breakdown value, the rest last. */
function shapeBrokenDownCohorts(
  { breakdown, starts }: { readonly breakdown: Breakdown; readonly starts: readonly number[] },
  rows: readonly BrokenDownCohortRow[],
): MessageInitShape<typeof RetentionSeriesSchema>[] {
  return groupByRank(breakdown, rows).map((group) => ({
    breakdown: group.breakdown,
    cohorts: shapeCohorts(starts, group.rows),
  }))
}

/** The same format as the times of points: UTC, without a zero fraction. */
function toRfc3339(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z')
}
