import type { AnswerQuestion } from '../insight.ts'
import { compileFunnel } from './compile.ts'
import { shapeFunnel } from './shape.ts'
import type { FunnelQuestion } from './spec.ts'

/** How many users get through ordered steps, how far, and how long each step takes. */
export const answerFunnel: AnswerQuestion<FunnelQuestion> = async (question, frame, ask) => {
  const rows = await ask(compileFunnel(question, frame))
  return { case: 'funnel', value: { series: shapeFunnel(question, rows) } }
}
