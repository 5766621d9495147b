import type { AnswerQuestion } from '../insight.ts'
import { compileBrokenDownCohorts, compileCohorts } from './compile.ts'
import { shapeBrokenDownCohorts, shapeCohorts } from './shape.ts'
import type { RetentionQuestion } from './spec.ts'

/** Cohorts of users by the bucket of their first start event, and how many of them returned in each later bucket. */
export const answerRetention: AnswerQuestion<RetentionQuestion> = async (question, frame, ask) => {
  const { breakdown, starts } = question
  if (!breakdown) {
    const rows = await ask(compileCohorts(question, frame))
    return { case: 'retention', value: { series: [{ cohorts: shapeCohorts(starts, rows) }] } }
  }
  const rows = await ask(compileBrokenDownCohorts(question, breakdown, frame))
  return { case: 'retention', value: { series: shapeBrokenDownCohorts({ breakdown, starts }, rows) } }
}
