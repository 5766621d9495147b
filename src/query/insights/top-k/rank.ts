import type { Ask, Frame } from '../insight.ts'
import { compileCounts, compilePlaces, compileTop, type ValueRow } from './compile.ts'
import type { RankingQuestion } from './spec.ts'

/** The rows of a ranking in their order, and the metric of the others where they have a row. */
export interface Ranking {
  readonly rows: readonly ValueRow[]
  readonly others: number | undefined
}

type Rank = (
  question: RankingQuestion & { readonly limit: number },
  frame: Frame,
  ask: Ask,
) => Promise<Ranking>

/** Asks for a ranking, in the way that costs least. */
export async function rank(question: RankingQuestion, frame: Frame, ask: Ask): Promise<Ranking> {
  const { limit, others } = question
  if (limit === undefined || others === 'left out') {
    return { rows: await ask(compileTop(question, frame, limit)), others: undefined }
  }
  const way = question.metric.kind === 'total' ? rankCounts : rankStates
  return await way({ ...question, limit }, frame, ask)
}

/** Numbers of events subtract, so their groups need no order at all. */
const rankCounts: Rank = async (question, frame, ask) => {
  const rows = await ask(compileCounts(question, frame, question.limit))
  const left = rows.reduce((count, { value }) => count - value, rows[0]?.total ?? 0)
  return { rows, others: left > 0 ? left : undefined }
}

/**
 * The groups are ranked with the states of the metric, and those beyond the limit are merged. One scan: with four
 * thousand values it costs a fifth less than one for the first values and one for the others, with two million as much.
 */
const rankStates: Rank = async (question, frame, ask) => {
  const rows = await ask(compilePlaces(question, frame, question.limit))
  const others = rows.find(({ place }) => place > question.limit)
  return { rows: rows.filter((row) => row !== others), others: others?.value }
}
