import type { RetentionQuery } from '../../spec/retention.ts'
import type { AnswerInsight } from '../insight.ts'
import { compileBrokenDownCohorts, compileCohorts } from './compile.ts'
import { shapeBrokenDownCohorts, shapeCohorts } from './shape.ts'

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
