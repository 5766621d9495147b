import type { MessageInitShape } from '@bufbuild/protobuf'
import type { SegmentationSeriesSchema } from '../../contract/gen/shared/insights/v1/query_result_pb.js'
import { COHORT_KEY, type CohortPart, withCohorts } from '../../domain/insights/cohort-filters.ts'
import type { InsightContext } from '../../domain/insights/insight-context.ts'
import { runInOrder } from '../../kernel/run-in-order.ts'
import type { InsightResult } from './insight.ts'

/** Maximum concurrent questions of one query; the statements of each use all cores of the store. */
const PARTS_MAX = 2

/** The context of the question about one cohort, or about all users without one. */
export function contextOf(part: CohortPart | undefined, context: InsightContext): InsightContext {
  return part ? { ...context, filters: withCohorts(context.filters, [part.condition]) } : context
}

/**
 * Answers a query for each cohort, as if it were a filter, and puts the answers together; without cohorts, for all users.
 */
export async function answerByCohort(
  split: readonly CohortPart[],
  answer: (part: CohortPart | undefined) => Promise<InsightResult>,
): Promise<InsightResult> {
  if (split.length === 0) return await answer(undefined)
  const parts: { readonly part: CohortPart; readonly result: InsightResult }[] = []
  await runInOrder(split.entries(), PARTS_MAX, async ([index, part]) => {
    parts[index] = { part, result: await answer(part) }
  })
  const [first] = parts
  if (first?.result.case === 'segmentation') {
    return withNumbers(await answer(undefined), parts)
  }
  return join(parts)
}

interface AnsweredPart {
  readonly part: CohortPart
  readonly result: InsightResult
}

function breakdownOf({ cohortId }: CohortPart): Record<string, string> {
  return { [COHORT_KEY]: cohortId }
}

function withNumbers(all: InsightResult, parts: readonly AnsweredPart[]): InsightResult {
  if (all.case !== 'segmentation') return all
  const { total = 0, values = [] } = all.value
  return { case: 'segmentation', value: { total, values: [...values], series: parts.map(toNumbers) } }
}

function toNumbers({ part, result }: AnsweredPart): MessageInitShape<typeof SegmentationSeriesSchema> {
  if (result.case !== 'segmentation') return {}
  const { total = 0, values = [] } = result.value
  return { breakdown: breakdownOf(part), total, values: [...values] }
}

/** The series of all parts: those in the same place of each answer follow one another, in the order of the cohorts. */
function join(parts: readonly AnsweredPart[]): InsightResult {
  const [first] = parts
  switch (first?.result.case) {
    case 'trends':
      return { case: 'trends', value: { series: interleave(parts, 'trends') } }
    case 'funnel':
      return { case: 'funnel', value: { series: interleave(parts, 'funnel') } }
    case 'retention':
      return { case: 'retention', value: { series: interleave(parts, 'retention') } }
    default:
      throw new Error('only an answer with series is split by cohort')
  }
}

type SeriesCase = 'trends' | 'funnel' | 'retention'
type SeriesOf<Case extends SeriesCase> = NonNullable<
  Extract<InsightResult, { case: Case }>['value']['series']
>[number]

function interleave<Case extends SeriesCase>(parts: readonly AnsweredPart[], kind: Case): SeriesOf<Case>[] {
  const lists = parts.map(({ part, result }) => {
    const list = result.case === kind ? (result.value as { series?: SeriesOf<Case>[] }).series : undefined
    return (list ?? []).map((series) => ({ ...series, breakdown: breakdownOf(part) }))
  })
  const places = Math.max(0, ...lists.map(({ length }) => length))
  return Array.from({ length: places }, (_, place) =>
    lists.flatMap((list): SeriesOf<Case>[] => list.slice(place, place + 1)),
  ).flat()
}
