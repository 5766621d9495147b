import type { FunnelQuery } from '../../spec/funnel.ts'
import type { AnswerInsight } from '../insight.ts'
import { compileFunnel } from './compile.ts'
import { shapeFunnel } from './shape.ts'

/** How many users get through ordered steps, how far, and how long each step takes. */
export const answerFunnel: AnswerInsight<FunnelQuery> = async (query, context, run) => {
  const rows = await run(compileFunnel(query, context))
  return { case: 'funnel', value: { series: shapeFunnel(query, rows) } }
}
