import { create } from '@bufbuild/protobuf'
import { CohortFilterSchema } from '../../src/contract/gen/millrace/insights/v1/cohort_filter_pb.js'
import {
  type QueryResponse,
  QueryResponseSchema,
} from '../../src/contract/gen/shared/insights/v1/insights_service_pb.js'
import type { InsightTypeEntry } from './insight-type.ts'
import type { ListPoints, ReferencePoint } from './points.ts'
import type { Query } from './query.ts'

type Answer = InsightTypeEntry['answer']
type Result = ReturnType<Answer>

/** The query about one cohort: with the cohort as one more filter, and not split. */
function queryAbout(query: Query, cohortId: string): Query {
  const { spec } = query
  const filter = create(CohortFilterSchema, { cohortId })
  return { ...query, spec: { ...spec, breakdownCohortIds: [], cohorts: [...spec.cohorts, filter] } }
}

/** The answer to a query that cohorts may split: the series of each cohort are those of the query about it. */
export function answerParts(query: Query, answer: Answer): Result {
  const ids = query.spec.breakdownCohortIds
  if (ids.length === 0) return answer(query)
  const parts = ids.map((id) => ({ breakdown: { $cohort: id }, result: answer(queryAbout(query, id)) }))
  const whole = answer({ ...query, spec: { ...query.spec, breakdownCohortIds: [] } })
  if (whole.case === 'segmentation') {
    const series = parts.map(({ breakdown, result }) => {
      const { total = 0, values = [] } = result.case === 'segmentation' ? result.value : {}
      return { breakdown, total, values }
    })
    return create(QueryResponseSchema, {
      result: { case: 'segmentation', value: { ...whole.value, series } as never },
    }).result as Result
  }
  const list = parts.flatMap(({ breakdown, result }) =>
    seriesOf(result).map((series, place) => ({ place, series: { ...series, breakdown } })),
  )
  const series = list.sort((a, b) => a.place - b.place).map((each) => each.series)
  return { case: whole.case, value: { series } } as Result
}

function seriesOf(result: Result): readonly object[] {
  return result.value && 'series' in result.value && Array.isArray(result.value.series)
    ? result.value.series
    : []
}

/** The points of the series of each cohort, with its name. */
export function listParts(
  query: Query,
  response: QueryResponse,
  list: ListPoints,
): readonly ReferencePoint[] {
  const ids = query.spec.breakdownCohortIds
  if (ids.length === 0) return list(query, response)
  return ids.flatMap((id) =>
    list(queryAbout(query, id), partOf(response, id)).map((each) => {
      const { kind } = each.point
      if (!kind || kind.case === undefined) return each
      const value = { ...kind.value, breakdown: { $cohort: id } }
      return { ...each, point: { kind: { case: kind.case, value } as typeof kind } }
    }),
  )
}

/** The part of an answer about a cohort, as the answer to the query about it. */
function partOf({ result }: QueryResponse, id: string): QueryResponse {
  if (result.case === 'segmentation') {
    const { total = 0, values = [] } =
      result.value.series.find(({ breakdown }) => breakdown.$cohort === id) ?? {}
    return create(QueryResponseSchema, { result: { case: 'segmentation', value: { total, values } } })
  }
  if (result.case !== 'trends' && result.case !== 'funnel' && result.case !== 'retention')
    throw new RangeError('an answer without series')
  const series = result.value.series.filter(({ breakdown }) => breakdown.$cohort === id)
  return create(QueryResponseSchema, { result: { case: result.case, value: { series } } as never })
}
