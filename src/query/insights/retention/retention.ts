import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import type {
  DataPointSchema,
  RetentionCohortSchema,
  RetentionSeriesSchema,
} from '../../../contract/gen/shared/insights/v1/query_result_pb.js'
import type { InsightContext } from '../../../domain/insights/insight-context.ts'
import type { RetentionQuery } from '../../../domain/insights/retention.ts'
import { type CohortValue, hasPlainCohorts } from '../../../domain/insights/retention-options.ts'
import type { RangeMs } from '../../../domain/insights/time-range.ts'
import type { QueryRunner } from '../../sql/select.ts'
import { groupByRank } from '../breakdown.ts'
import type { AnswerInsight } from '../insight.ts'
import { type Cohort, cohortsOfMembers, plainCohorts } from './cohorts.ts'
import {
  compileBrokenDownCohorts,
  compileBrokenDownMembers,
  compileCohorts,
  compileMembers,
} from './compile.ts'

/** Cohorts of users by the bucket of their start event, and what they did in each period since. */
export const answerRetention: AnswerInsight<RetentionQuery> = async (query, context, run) => {
  const series = await readSeries(query, context, run)
  return {
    case: 'retention',
    value: {
      series: series.map(({ breakdown, cohorts }) => ({
        breakdown,
        ...shapeCohorts(query, cohorts, context.range),
      })),
    },
  }
}

interface Series {
  readonly breakdown: Record<string, string>
  readonly cohorts: readonly Cohort[]
}

/** One series without a breakdown, else one by rank of the breakdown value, the rest last. */
async function readSeries(
  query: RetentionQuery,
  context: InsightContext,
  run: QueryRunner,
): Promise<readonly Series[]> {
  const { breakdown } = query
  if (hasPlainCohorts(query.rules)) {
    if (!breakdown)
      return [{ breakdown: {}, cohorts: plainCohorts(query, await run(compileCohorts(query, context))) }]
    const rows = await run(compileBrokenDownCohorts(query, breakdown, context))
    return groupByRank(breakdown, rows).map((group) => ({
      breakdown: group.breakdown,
      cohorts: plainCohorts(query, group.rows),
    }))
  }
  if (!breakdown)
    return [{ breakdown: {}, cohorts: cohortsOfMembers(query, await run(compileMembers(query, context))) }]
  const rows = await run(compileBrokenDownMembers(query, breakdown, context))
  return groupByRank(breakdown, rows).map((group) => ({
    breakdown: group.breakdown,
    cohorts: cohortsOfMembers(query, group.rows),
  }))
}

type SeriesInit = Exclude<MessageInitShape<typeof RetentionSeriesSchema>, { readonly $typeName: string }>

/** Every cohort of the range, including empty ones, each with points from its own bucket to the last, and their average. */
function shapeCohorts(query: RetentionQuery, cohorts: readonly Cohort[], range: RangeMs): SeriesInit {
  const { starts, rules } = query
  const times = starts.map((startMs) => timestampFromMs(startMs))
  const shaped = cohorts.map(({ size, amounts }, index): MessageInitShape<typeof RetentionCohortSchema> => {
    const points = amounts.map((amount, period) => ({
      ...(times[index + period] ? { time: times[index + period] } : {}),
      value: measureCohort(rules.value, amount, size),
    }))
    return { cohort: toRfc3339(starts[index] ?? 0), cohortSize: size, points }
  })
  return { cohorts: shaped, average: averagePeriods(query, cohorts, range) }
}

function averagePeriods(
  { starts, ends, rules }: RetentionQuery,
  cohorts: readonly Cohort[],
  { fromMs, toMs }: RangeMs,
): MessageInitShape<typeof DataPointSchema>[] {
  const { periodMs, value } = rules
  const isWhole = (cohort: number, period: number): boolean => {
    if (periodMs !== undefined) return (ends[cohort] ?? toMs) + (period + 1) * periodMs <= toMs
    const bucket = cohort + period
    return (starts[bucket] ?? fromMs - 1) >= fromMs && (ends[bucket] ?? toMs + 1) <= toMs
  }
  return starts.map((startMs, period) => {
    const whole = cohorts.filter(({ amounts }, cohort) => period < amounts.length && isWhole(cohort, period))
    const amount = whole.reduce((sum, { amounts }) => sum + (amounts[period] ?? 0), 0)
    const size = whole.reduce((sum, cohort) => sum + cohort.size, 0)
    const mean = value.kind === 'sum' ? amount / (whole.length || 1) : measureCohort(value, amount, size)
    return { time: timestampFromMs(startMs), value: mean }
  })
}

/** The value of a cohort of that size; an empty one has no share and no mean. */
function measureCohort({ kind }: CohortValue, amount: number, size: number): number {
  if (kind === 'sum') return amount
  if (size === 0) return 0
  return kind === 'users' ? (100 * amount) / size : amount / size
}

/** The same format as the times of points: UTC, without a zero fraction. */
function toRfc3339(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z')
}
