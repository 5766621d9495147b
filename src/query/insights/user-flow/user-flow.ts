import type { AnswerQuestion } from '../insight.ts'
import { compileLinks } from './compile.ts'
import { shapeFlow } from './shape.ts'
import type { UserFlowQuestion } from './spec.ts'

/** The graph of the paths that sessions take. */
export const answerUserFlow: AnswerQuestion<UserFlowQuestion> = async (question, frame, ask) => {
  const links = await ask(compileLinks(question, frame))
  return { case: 'userFlow', value: shapeFlow(links) }
}
