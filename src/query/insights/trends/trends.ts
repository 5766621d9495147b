import { runInOrder } from '../../../kernel/run-in-order.ts'
import type { AnswerQuestion } from '../insight.ts'
import { answerSessionTrends } from '../sessions/sessions.ts'
import type { SessionTrendsQuestion } from '../sessions/spec.ts'
import { compileBrokenDown, compileTotals } from './compile.ts'
import { shapeBrokenDown, shapeTotals } from './shape.ts'
import type { TrendsQuestion } from './spec.ts'

/** Maximum concurrent statements of one query; each uses all cores of the store. */
const STATEMENTS_MAX = 2

/** Values over time: one series per event (or of sessions), or per event and breakdown value. */
export const answerTrends: AnswerQuestion<TrendsQuestion | SessionTrendsQuestion> = async (
  question,
  frame,
  ask,
) => {
  if ('scope' in question) return await answerSessionTrends(question, frame, ask)
  const { breakdown, starts } = question
  if (!breakdown) {
    const rows = await ask(compileTotals(question, frame))
    return { case: 'trends', value: { series: shapeTotals(question, rows) } }
  }
  const series = question.series.map((): ReturnType<typeof shapeBrokenDown> => [])
  await runInOrder(question.series.entries(), STATEMENTS_MAX, async ([index, one]) => {
    const rows = await ask(compileBrokenDown({ series: one, breakdown, starts }, frame))
    series[index] = shapeBrokenDown({ kind: one.kind, breakdown, starts }, rows)
  })
  return { case: 'trends', value: { series: series.flat() } }
}
