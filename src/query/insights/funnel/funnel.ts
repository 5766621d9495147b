import type { AnswerQuestion } from '../insight.ts'
import { compileFunnel } from './compile.ts'
import { shapeFunnel } from './shape.ts'
import type { FunnelQuestion } from './spec.ts'

/** How many users go how far through steps in a given order, and how long it takes them. */
export const answerFunnel: AnswerQuestion<FunnelQuestion> = async (question, frame, ask) => {
  const rows = await ask(compileFunnel(question, frame))
  return { case: 'funnel', value: { series: shapeFunnel(question, rows) } }
}
