import type { Ask, Frame } from '../insight.ts'
import { compileCounts, compilePlaces, compileTop, type ValueRow } from './compile.ts'
import type { RankingQuestion } from './spec.ts'

/** The ranked rows in order, and the metric of the others if they have a row. */
export interface Ranking {
  readonly rows: readonly ValueRow[]
  readonly others: number | undefined
}

type Rank = (
  question: RankingQuestion & { readonly limit: number },
  frame: Frame,
  ask: Ask,
) => Promise<Ranking>

/** Runs a ranking the cheapest way. */
export async function rank(question: RankingQuestion, frame: Frame, ask: Ask): Promise<Ranking> {
  const { limit, others } = question
  if (limit === undefined || others === 'left out') {
    return { rows: await ask(compileTop(question, frame, limit)), others: undefined }
  }
  const way = question.metric.kind === 'total' ? rankCounts : rankStates
  return await way({ ...question, limit }, frame, ask)
}

/** Event counts can be subtracted, so their groups need no sorting. */
const rankCounts: Rank = async (question, frame, ask) => {
  const rows = await ask(compileCounts(question, frame, question.limit))
  const left = rows.reduce((count, { value }) => count - value, rows[0]?.total ?? 0)
  return { rows, others: left > 0 ? left : undefined }
}

/**
 * Ranks groups by their metric states and merges those beyond the limit, in one scan: with four thousand values it
 * costs a fifth less than separate scans for the first values and the others, with two million the same.
 */
const rankStates: Rank = async (question, frame, ask) => {
  const rows = await ask(compilePlaces(question, frame, question.limit))
  const others = rows.find(({ rank }) => rank > question.limit)
  return { rows: rows.filter((row) => row !== others), others: others?.value }
}
