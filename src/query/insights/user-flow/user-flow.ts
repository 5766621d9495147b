import type { UserFlowQuery } from '../../spec/user-flow.ts'
import type { AnswerInsight } from '../insight.ts'
import { compileLinks } from './compile.ts'
import { shapeFlow } from './shape.ts'

/** The graph of the paths that sessions take. */
export const answerUserFlow: AnswerInsight<UserFlowQuery> = async (query, context, run) => {
  const links = await run(compileLinks(query, context))
  return { case: 'userFlow', value: shapeFlow(links) }
}
